/** A grok expression that cannot be expanded; the text is the one Logstash gives. */
export class GrokError extends Error {
  override readonly name = 'GrokError'
}
