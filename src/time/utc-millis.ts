/** Times whose parts are texts, as a regular expression captures them. */

type Part = string | undefined

/** Epoch milliseconds of a time in UTC; months count from 1, and a part that is missing makes it NaN. */
export function utcMillis(
  year: Part,
  month: Part,
  day: Part,
  hour: Part,
  minute: Part,
  second: Part,
): number {
  const monthIndex = Number(month) - 1
  return Date.UTC(Number(year), monthIndex, Number(day), Number(hour), Number(minute), Number(second))
}
