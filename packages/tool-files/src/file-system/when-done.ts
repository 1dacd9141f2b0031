/** `next` of a value, at once if the value is there: a promise costs as much as a small write. */
export function whenDone<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
