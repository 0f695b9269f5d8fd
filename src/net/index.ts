// Rooms without a transport: one server and its clients exchange packets, whoever carries them.

export { RoomClient, type RoomClientOptions, type RoomClientStats } from './client';
export { CommandInputs, type CommandRules } from './commands';
export type { Smoothing } from './drawing';
export type { Game } from './game';
export type { Mode, Refusal } from './messages';
export type { Interest } from './poses';
export { RoomServer, type RoomServerOptions, type RoomServerStats } from './server';
export { type NetworkQuality, SimulatedNetwork } from './simulated';
