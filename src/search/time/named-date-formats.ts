/**
 * The built-in date formats by name, in the notation of `date-pattern.ts`: the parser and, where it differs, the
 * printer. `strict_x` requires all digits of a year, month or day; plain `x` accepts fewer.
 */
interface NamedFormat {
  readonly read: string
  readonly write: string
}

/** The strict forms; the lenient ones are derived from them. */
const strict = new Map<string, string | NamedFormat>([
  [
    'date_optional_time',
    {
      read: "{year}[-MM[-dd]]['T'[HH[:mm[:ss[{fraction}]]][{zone}]]]",
      write: "{year}-MM-dd'T'HH:mm:ss{millis}{zone}",
    },
  ],
  [
    'date_optional_time_nanos',
    {
      read: "{year}[-MM[-dd]]['T'[HH[:mm[:ss[{fraction}]]][{zone}]]]",
      write: "{year}-MM-dd'T'HH:mm:ss{fraction}{zone}",
    },
  ],
  ['date', '{year}-MM-dd'],
  ['date_hour', "{year}-MM-dd'T'HH"],
  ['date_hour_minute', "{year}-MM-dd'T'HH:mm"],
  ['date_hour_minute_second', "{year}-MM-dd'T'HH:mm:ss"],
  ['date_hour_minute_second_fraction', "{year}-MM-dd'T'HH:mm:ss{fraction}"],
  ['date_hour_minute_second_millis', "{year}-MM-dd'T'HH:mm:ss{millis}"],
  ['date_time', "{year}-MM-dd'T'HH:mm:ss[{fraction}]{zone}"],
  ['date_time_no_millis', "{year}-MM-dd'T'HH:mm:ss{zone}"],
  ['hour', 'HH'],
  ['hour_minute', 'HH:mm'],
  ['hour_minute_second', 'HH:mm:ss'],
  ['hour_minute_second_fraction', 'HH:mm:ss{fraction}'],
  ['hour_minute_second_millis', 'HH:mm:ss{millis}'],
  ['ordinal_date', '{year}-DDD'],
  ['ordinal_date_time', "{year}-DDD'T'HH:mm:ss[{fraction}]{zone}"],
  ['ordinal_date_time_no_millis', "{year}-DDD'T'HH:mm:ss{zone}"],
  ['time', 'HH:mm:ss{fraction}{zone}'],
  ['time_no_millis', 'HH:mm:ss{zone}'],
  ['t_time', "'T'HH:mm:ss{fraction}{zone}"],
  ['t_time_no_millis', "'T'HH:mm:ss{zone}"],
  ['week_date', "{week year}-'W'ww-e"],
  ['week_date_time', "{week year}-'W'ww-e'T'HH:mm:ss[{fraction}]{zone}"],
  ['week_date_time_no_millis', "{week year}-'W'ww-e'T'HH:mm:ss{zone}"],
  ['weekyear', '{week year}'],
  ['weekyear_week', "{week year}-'W'ww"],
  ['weekyear_week_day', "{week year}-'W'ww-e"],
  ['year', '{year}'],
  ['year_month', '{year}-MM'],
  ['year_month_day', '{year}-MM-dd'],
])

const basic = new Map<string, string>([
  ['basic_date', '{four digits}MMdd'],
  ['basic_date_time', "{four digits}MMdd'T'HHmmss{fraction}{basic zone}"],
  ['basic_date_time_no_millis', "{four digits}MMdd'T'HHmmss{basic zone}"],
  ['basic_ordinal_date', '{four digits}DDD'],
  ['basic_ordinal_date_time', "{four digits}DDD'T'HHmmss{fraction}{basic zone}"],
  ['basic_ordinal_date_time_no_millis', "{four digits}DDD'T'HHmmss{basic zone}"],
  ['basic_time', 'HHmmss{fraction}{basic zone}'],
  ['basic_time_no_millis', 'HHmmss{basic zone}'],
  ['basic_t_time', "'T'HHmmss{fraction}{basic zone}"],
  ['basic_t_time_no_millis', "'T'HHmmss{basic zone}"],
  ['basic_week_date', "{four week digits}'W'wwe"],
  ['basic_week_date_time', "{four week digits}'W'wwe'T'HHmmss{fraction}{basic zone}"],
  ['basic_week_date_time_no_millis', "{four week digits}'W'wwe'T'HHmmss{basic zone}"],
])

/** Returns undefined when no built-in format has the name. */
export function namedDateFormat(name: string): NamedFormat | undefined {
  if (name === 'date_optional_time_nanos') return undefined
  if (name === 'iso8601') name = 'strict_date_optional_time_nanos'
  const isStrict = name.startsWith('strict_')
  const plain = isStrict ? name.slice('strict_'.length) : name
  const basicForm = isStrict && !plain.startsWith('basic_week') ? undefined : basic.get(plain)
  if (basicForm !== undefined) return { read: basicForm, write: basicForm }
  const found = strict.get(plain)
  if (found === undefined) return undefined
  const form = typeof found === 'string' ? { read: found, write: found } : found
  return isStrict ? form : { read: relaxed(form.read), write: form.write }
}

function relaxed(pattern: string): string {
  return pattern
    .replaceAll('{year}', '{lenient year}')
    .replaceAll('{week year}', '{lenient week year}')
    .replace(/MM|dd|DDD|HH|mm|ss|ww/g, (letters) => letters[0]!)
}
