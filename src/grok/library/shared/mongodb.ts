/** What the two sets share of MongoDB's logs: names with dashes, the query of a slow operation, the level. */
export const mongodb: Record<string, string> = {
  MONGO_WORDDASH: String.raw`\b[\w-]+\b`,
  // The braces around everything up to the counter that stands behind the query.
  MONGO_QUERY: String.raw`\{ .*(?= \} ntoreturn:) \}`,
  MONGO3_SEVERITY: String.raw`\w`,
}
