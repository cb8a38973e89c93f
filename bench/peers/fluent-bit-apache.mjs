// The expression of Fluent Bit's own parser `apache2`, as both it and our case of the same fields use it.
export const fluentBitApache =
  '^(?<host>[^ ]*) [^ ]* (?<user>[^ ]*) \\[(?<time>[^\\]]*)\\] "(?<method>\\S+)(?: +(?<path>[^ ]*) +\\S*)?" ' +
  '(?<code>[^ ]*) (?<size>[^ ]*)(?: "(?<referer>[^"]*)" "(?<agent>.*)")?$'
