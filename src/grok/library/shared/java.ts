/** Java: what both sets share. */
export const java: Record<string, string> = {
  JAVACLASS: String.raw`[A-Za-z$_][A-Za-z0-9$_]*(?:\.[A-Za-z$_][A-Za-z0-9$_]*)*`,
  // The blank is for "Native Method" and "Unknown Source".
  JAVAFILE: '[A-Za-z0-9$_. -]+',
  JAVAMETHOD: '(?:<(?:cl)?init>|[A-Za-z$_][A-Za-z0-9$_]*)',
  JAVATHREAD: '[A-Z]{2}-Processor[0-9]+',
  JAVALOGMESSAGE: '.*',
}
