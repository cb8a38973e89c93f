/** In OpenSearch the default format of `date_nanos` has the name of that of `date` wherever an error shows it. */
export function openSearchDateText(text: string): string {
  return text.replaceAll(
    'strict_date_optional_time_nanos||epoch_millis',
    'strict_date_optional_time||epoch_millis',
  )
}
