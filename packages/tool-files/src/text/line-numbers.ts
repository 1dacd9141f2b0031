/** The number that the first line of a file has for a model. */
export type FirstLine = 0 | 1;

/** Converts between places of lines, which count from 0 everywhere inside, and the numbers that a model reads and sends. */
export class LineNumbers {
  readonly first: FirstLine;

  constructor(first: FirstLine = 0) {
    this.first = first;
  }

  /** How the numbers count, for a model. */
  get based(): string {
    return `${this.first}-based`;
  }

  /** The number of the line at a place. */
  of(place: number): number {
    return place + this.first;
  }

  /** The place of a line; a number below 0 counts from the end and stays as it is. */
  placeOf(number: number): number {
    return number < 0 ? number : number - this.first;
  }
}
