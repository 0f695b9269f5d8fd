// Command streams as inputs. In: the words that a client wants applied. Out: nothing but what is on a list, and only for
// bodies of its player. Both sides check in the tick itself, when it is known which bodies there are.
import {
  COMMANDS,
  type Command,
  type CommandName,
  type DecodedCommand,
  MAX_BODIES,
  PhysicsError,
  type RigidBody,
  readCommands,
  validateCommands,
  type World,
} from 'ricochet';

/** What players may do to their bodies. */
export interface CommandRules {
  /** Names of docs/commands.md whose first field is a body. */
  allow: readonly CommandName[];
  /** Whether a body belongs to a player: by its `userIndex`, by the state of the game. */
  owns: (world: World, player: number, body: RigidBody) => boolean;
  /** Says no to single commands, as to impulses that are too large. Default: all may be. */
  check?: (command: DecodedCommand, world: World, player: number) => boolean;
  /** Commands in one input, ≥ 1. Default 8. */
  most?: number;
}

/** Applies command streams as inputs: `applyInput` of a game may consist of one call of `apply`. */
export class CommandInputs {
  private readonly allowed: ReadonlySet<CommandName>;

  /**
   * Rules for all players.
   *
   * @throws PhysicsError 'invalid-argument' for a command that has no body
   */
  constructor(private readonly rules: CommandRules) {
    for (const name of rules.allow) {
      const command = COMMANDS[name] as Command | undefined;
      if (command?.fields[0]?.[0] !== 'body')
        throw new PhysicsError('invalid-argument', 'must be commands of a body', 'allow', name);
    }
    this.allowed = new Set(rules.allow);
  }

  /** The commands as an input: bytes for `RoomClientOptions.input`. */
  encode(words: Int32Array): Uint8Array<ArrayBuffer> {
    return new Uint8Array(words.slice().buffer);
  }

  /** Whether bytes are commands of the list, well formed: for `Game.sanitize`. */
  isClean(input: Uint8Array): boolean {
    const words = wordsOf(input);
    if (words === null) return false;
    try {
      if (validateCommands(words) > (this.rules.most ?? 8)) return false;
    } catch {
      return false;
    }
    for (const { name } of readCommands(words)) if (!this.allowed.has(name)) return false;
    return true;
  }

  /** Applies an input whole, or nothing of it. Returns whether it did. */
  apply(world: World, player: number, input: Uint8Array): boolean {
    if (input.length === 0 || !this.isClean(input)) return false;
    const words = wordsOf(input)!;
    const slots = new Map<number, RigidBody>();
    for (const body of world.bodies()) slots.set(body.id & MAX_BODIES, body);
    for (const command of readCommands(words)) {
      const body = slots.get(command.fields['body'] as number);
      if (body === undefined || !this.rules.owns(world, player, body)) return false;
      if (this.rules.check !== undefined && !this.rules.check(command, world, player)) return false;
    }
    world.applyCommands(words);
    return true;
  }
}

/** A copy, which begins at a word. */
function wordsOf(input: Uint8Array): Int32Array | null {
  return input.length % 4 === 0 ? new Int32Array(input.slice().buffer) : null;
}

/** Streams one behind the other. */
export function joined(parts: readonly Int32Array[]): Int32Array {
  const words = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    words.set(part, at);
    at += part.length;
  }
  return words;
}
