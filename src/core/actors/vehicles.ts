// The motion of vehicles. In: their rows, the bodies. Out: forces on chassis and ground, new rows.

export function updateVehicles(_dt: f32): void {}
