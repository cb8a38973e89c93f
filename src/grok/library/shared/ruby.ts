/** What the two sets share of Ruby's logger: its levels. */
export const ruby: Record<string, string> = {
  RUBY_LOGLEVEL: 'DEBUG|INFO|WARN|ERROR|FATAL',
}
