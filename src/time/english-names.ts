/** English names of months and weekdays, as date patterns print them; index 0 is January or Monday. */
export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export const weekdayNames: readonly string[] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
]

export const shortMonthNames: readonly string[] = monthNames.map((name) => name.slice(0, 3))
export const shortWeekdayNames: readonly string[] = weekdayNames.map((name) => name.slice(0, 3))
