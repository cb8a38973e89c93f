/** The time of a hit as people read it; what is no time is shown as it is. */
import { valueText } from '../parts/documents.ts'
import { moment } from '../parts/format.ts'

export function timeText(value: unknown, isUtc: boolean): string {
  const millis =
    typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(millis) ? valueText(value) : moment(millis, isUtc)
}
