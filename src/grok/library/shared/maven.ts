/** Maven version numbers: up to three numbers, of which the last may be `*`, and a qualifier. */
export const maven: Record<string, string> = {
  MAVEN_VERSION: String.raw`(?:\d+\.){0,2}(?:\d+|\*)(?:[.-](?:RELEASE|SNAPSHOT))?`,
}
