// Rooms without a transport: one server and its clients exchange packets, whoever carries them.

export { RoomClient } from './client';
export { CommandInputs, type CommandRules } from './commands';
export type { Smoothing } from './drawing';
export type { Game } from './game';
export type { Mode, Refusal } from './messages';
export type { RoomClientOptions, RoomClientStats, RoomServerOptions, RoomServerStats } from './options';
export type { Interest } from './poses';
export { RoomServer } from './server';
export { type NetworkQuality, SimulatedNetwork } from './simulated';
