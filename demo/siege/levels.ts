// The levels of the game: what stands on the plinth, and what there is to shoot with. Only boxes. Lengths in m.

export type Vec3 = [x: number, y: number, z: number];

/** What a piece is made of: its density, its friction, its colour and its sound. */
export type Material = 'stone' | 'wood' | 'gold' | 'powder';

export interface Piece {
  material: Material;
  position: Vec3;
  halfExtents: Vec3;
}

/** A cannonball, or one that explodes after it has hit something. */
export type Shot = 'ball' | 'bomb';

export interface Level {
  title: string;
  hint: string;
  /** In the order in which they are fired. */
  shots: readonly Shot[];
  /** With so many shots it has three stars. */
  par: number;
  pieces: readonly Piece[];
}

/** Half extents of the plinth, and its centre: its top is at y = PLINTH_TOP. */
export const PLINTH_HALF: Vec3 = [5, 0.75, 3];
export const PLINTH_TOP = 1.5;

/** Collects pieces; heights are above the plinth. */
class Builder {
  readonly pieces: Piece[] = [];

  private add(material: Material, [x, y, z]: Vec3, halfExtents: Vec3): this {
    this.pieces.push({ material, position: [x, PLINTH_TOP + y, z], halfExtents });
    return this;
  }

  /** An upright post; `y` is its foot. */
  post(x: number, y: number, z: number, height = 2, material: Material = 'wood'): this {
    return this.add(material, [x, y + height / 2, z], [0.2, height / 2, 0.2]);
  }

  /** A plank along x; `y` is its underside. */
  plank(x: number, y: number, z: number, length: number, width = 0.6): this {
    return this.add('wood', [x, y + 0.1, z], [length / 2, 0.1, width / 2]);
  }

  /** A plank along z. */
  beam(x: number, y: number, z: number, length: number, width = 0.6): this {
    return this.add('wood', [x, y + 0.1, z], [width / 2, 0.1, length / 2]);
  }

  block(x: number, y: number, z: number, size = 0.8): this {
    return this.add('stone', [x, y + size / 2, z], [size / 2, size / 2, size / 2]);
  }

  /** Bricks in running bond, along x. */
  wall(x: number, y: number, z: number, bricks: number, courses: number): this {
    for (let course = 0; course < courses; course++)
      for (let i = 0; i < bricks - (course % 2); i++)
        this.add(
          'stone',
          [x + 0.6 * (i - (bricks - 1 - (course % 2)) / 2), y + 0.15 + 0.3 * course, z],
          [0.3, 0.15, 0.2],
        );
    return this;
  }

  idol(x: number, y: number, z: number): this {
    return this.add('gold', [x, y + 0.35, z], [0.22, 0.35, 0.22]);
  }

  powder(x: number, y: number, z: number): this {
    return this.add('powder', [x, y + 0.3, z], [0.3, 0.3, 0.3]);
  }
}

export const LEVELS: readonly Level[] = [
  {
    title: 'The gate',
    hint: 'Tap where the ball should hit. Bring the golden idol down to the ground.',
    shots: ['ball', 'ball', 'ball'],
    par: 1,
    pieces: new Builder().post(-1, 0, 0).post(1, 0, 0).plank(0, 2, 0, 3).idol(0, 2.2, 0).pieces,
  },
  {
    title: 'The house',
    hint: 'One idol on the roof, one behind the wall.',
    shots: ['bomb', 'ball', 'bomb', 'ball', 'bomb'],
    par: 3,
    pieces: new Builder()
      .wall(0, 0, 1, 5, 6)
      .post(-1.3, 0, -1, 1.8)
      .post(1.3, 0, -1, 1.8)
      .beam(-1.3, 1.8, 0, 2.8)
      .beam(1.3, 1.8, 0, 2.8)
      .beam(0, 1.8, 0, 2.8, 1.4)
      .post(0, 0, -1, 1.8)
      .idol(0, 0, -0.2)
      .idol(0, 2, 0).pieces,
  },
  {
    title: 'The tower',
    hint: 'Six storeys. Low hits bring down what high hits cannot reach.',
    shots: ['ball', 'ball', 'bomb'],
    par: 1,
    pieces: tower(new Builder(), 0, 6).idol(0, 6 * 0.5, 0).pieces,
  },
  {
    title: 'The bridge',
    hint: 'Three idols on planks that only rest on their towers.',
    shots: ['ball', 'ball', 'ball', 'ball'],
    par: 2,
    pieces: new Builder()
      .wall(-3.4, 0, 0, 3, 8)
      .wall(0, 0, 0, 3, 8)
      .wall(3.4, 0, 0, 3, 8)
      .plank(-1.7, 2.4, 0, 3, 0.7)
      .plank(1.7, 2.4, 0, 3, 0.7)
      .idol(-1.7, 2.6, 0)
      .idol(1.7, 2.6, 0)
      .idol(0, 2.4, 0).pieces,
  },
  {
    title: 'The powder store',
    hint: 'Red crates explode when they are hit hard.',
    shots: ['ball', 'ball', 'ball'],
    par: 1,
    pieces: new Builder()
      .block(-2.6, 0, 0)
      .block(-2.6, 0.8, 0)
      .block(2.6, 0, 0)
      .block(2.6, 0.8, 0)
      .powder(0, 0, 0)
      .powder(-0.62, 0, 0)
      .powder(0.62, 0, 0)
      .powder(0, 0.6, 0)
      .plank(-2.4, 1.6, 0, 1.8)
      .plank(2.4, 1.6, 0, 1.8)
      .idol(-2.6, 1.8, 0)
      .idol(2.6, 1.8, 0)
      .idol(-1.2, 0, -1.2)
      .idol(1.2, 0, -1.2).pieces,
  },
  {
    title: 'The castle',
    hint: 'Four towers, a keep, and powder in its cellar.',
    shots: ['ball', 'bomb', 'ball', 'bomb', 'ball', 'bomb'],
    par: 4,
    pieces: castle(new Builder()).pieces,
  },
];

/** Storeys of two posts and two planks, turned by a right angle from one to the next. */
function tower(at: Builder, x: number, storeys: number): Builder {
  for (let i = 0; i < storeys; i++) {
    const y = 0.5 * i;
    if (i % 2 === 0)
      at.post(x - 0.5, y, 0, 0.3)
        .post(x + 0.5, y, 0, 0.3)
        .plank(x, y + 0.3, 0, 1.6, 1.2);
    else
      at.post(x, y, -0.4, 0.3)
        .post(x, y, 0.4, 0.3)
        .beam(x, y + 0.3, 0, 1.6, 1.2);
  }
  return at;
}

function castle(at: Builder): Builder {
  for (const x of [-3.6, 3.6])
    for (const z of [-1.8, 1.8]) {
      at.block(x, 0, z, 1).block(x, 1, z, 1).block(x, 2, z, 0.8);
      at.idol(x, 2.8, z);
    }
  at.wall(0, 0, 1.8, 9, 4).wall(0, 0, -1.8, 9, 4);
  for (const x of [-1, 1]) for (const z of [-0.6, 0.6]) at.post(x, 0, z, 1.8, 'stone');
  at.plank(0, 1.8, 0, 2.8, 1.8);
  at.wall(0, 2, 0, 3, 4).idol(0, 3.2, 0);
  return at.powder(-0.35, 0, 0).powder(0.35, 0, 0);
}
