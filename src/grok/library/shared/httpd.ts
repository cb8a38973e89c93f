/** Apache httpd: what both sets share. */
export const httpd: Record<string, string> = {
  HTTPDUSER: '(?:%{EMAILADDRESS}|%{USER})',
  HTTPDERROR_DATE: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{YEAR}',
  HTTPD_ERRORLOG: '(?:%{HTTPD20_ERRORLOG}|%{HTTPD24_ERRORLOG})',
  COMMONAPACHELOG: '%{HTTPD_COMMONLOG}',
  COMBINEDAPACHELOG: '%{HTTPD_COMBINEDLOG}',
}
