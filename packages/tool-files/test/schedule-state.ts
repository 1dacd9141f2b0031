/** What became of a writer's work: acknowledged, refused, or the writer was killed. */
export type Outcome = "done" | "refused" | "killed";
export const OUTCOMES: readonly Outcome[] = ["done", "refused", "killed"];

/** What the first writer does while all others edit `a.txt`: the same, or it moves the file to `b.txt`, or deletes it. */
export type FirstWork = "edit" | "move" | "delete";
export const FIRST_WORK: readonly FirstWork[] = ["edit", "move", "delete"];

/** Given to the thread of a writer: numbers that all threads share. */
export interface ScheduleData {
  readonly shared: SharedArrayBuffer;
  readonly index: number;
  readonly home: string;
}

/** Numbers of each writer, which begin at `index * STRIDE`. */
export const STRIDE = 4;
/** 0 while it runs, 1 before a call of the file system, 2 without work. */
export const TURN = 0;
/** 1 once it is killed. */
export const KILLED = 1;
/** An index into {@link OUTCOMES}. */
export const OUTCOME = 2;
/** What a deletion saw: the marks of the file, as a decimal number. */
export const SEEN = 3;
/** Number of the schedule, which is also the name of its directory. */
export const JOB = 16 * STRIDE;
/** An index into {@link FIRST_WORK}. */
export const FIRST = JOB + 1;
/** Milliseconds by which the clock was put forward. */
export const CLOCK = FIRST + 1;
const INODES = 1 << 16;
export const LENGTH = CLOCK + 1 + INODES;

/** Where the time is kept at which an inode was changed last. */
export function changeTime(ino: bigint): number {
  return CLOCK + 1 + Number(ino % BigInt(INODES));
}
