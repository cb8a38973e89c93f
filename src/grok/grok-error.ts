/** A grok expression that cannot be expanded; the text is that of Logstash, or of OpenSearch for its processor. */
export class GrokError extends Error {
  override readonly name = 'GrokError'
}
