// Contacts as objects. In: a world. Out: what touches or is about to. A worker loads this with its tools.
import { type BodyId, MAX_SLOT } from '../base/ids';
import { type Contact, decodeEvents } from '../events/events';
import type { Simulation } from '../world/simulation';

/** All contacts, or those of the body with this id; 0: all. */
export function contactsOf<Body extends { readonly id: BodyId }>(
  world: Simulation<Body>,
  body: BodyId,
): Contact<Body>[] {
  const words = world.query((core) => core.collectContacts(body & MAX_SLOT));
  const { instance } = world;
  const from = instance.table('queryOutput');
  const contacts: Contact<Body>[] = [];
  const resolve = (id: BodyId) => world.resolve(id);
  for (const event of decodeEvents(instance.words, instance.floats, from, from + words, resolve)) {
    const { bodyA, bodyB, shapeA, shapeB, normal, points } = event as Contact<Body>;
    contacts.push({ bodyA, bodyB, shapeA, shapeB, normal, points });
  }
  return contacts;
}
