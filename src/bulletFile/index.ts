// Entry of `ricochet/bullet-file`: worlds in the files of Bullet's serializer. In: bytes. Out: bodies and joints as options, or in
// a world; and a world as bytes that Bullet's importer reads.
export { addBulletFile, type BulletInWorld, type BulletWorld } from './add';
export {
  type BulletBody,
  type BulletFile,
  type BulletJoint,
  type BulletReadOptions,
  readBulletFile,
} from './read';
export type { DynamicMeshes } from './readShapes';
export { type BulletWriteOptions, type WrittenBulletFile, writeBulletFile } from './write';
