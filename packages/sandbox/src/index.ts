export { openRoom } from "./room.ts";
export type { Room, RoomOptions } from "./room.ts";
export type { ProcessEnd, RoomProcess } from "./process/room-process.ts";
export type { DiskWatch } from "./process/disk-watch.ts";
export type { ProcessUsage } from "./process/process-usage.ts";
export { bubblewrap } from "./wall/bubblewrap.ts";
export { NoKernelWallError } from "./wall/containment.ts";
export type { Containment, ContainmentPart, ContainmentReport } from "./wall/containment.ts";
export type { WrapAccess, WrapCommand } from "./wall/wall.ts";
