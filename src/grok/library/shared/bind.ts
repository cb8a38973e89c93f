/** BIND 9: what both sets share. */
export const bind: Record<string, string> = {
  BIND9_TIMESTAMP: '%{MONTHDAY}-%{MONTH}-%{YEAR} %{TIME}',
}
