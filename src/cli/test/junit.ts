/** Results of tests as JUnit XML, the form that build servers read. */
import type { FileResult } from './test.ts'

export function junitText(files: readonly FileResult[]): string {
  const suites = files.map(({ path, results, error }) => {
    const failures = results.filter(({ differences }) => differences.length > 0).length
    const seconds = results.reduce((sum, { millis }) => sum + millis, 0) / 1000
    const cases = results.map(({ name, millis, differences }) => {
      const head = `    <testcase classname="${escaped(path)}" name="${escaped(name)}" time="${(millis / 1000).toFixed(3)}"`
      if (differences.length === 0) return `${head}/>`
      const text = escaped(differences.join('\n'))
      return `${head}>\n      <failure message="${escaped(differences[0]!)}">${text}</failure>\n    </testcase>`
    })
    if (error !== undefined)
      cases.push(
        `    <testcase classname="${escaped(path)}" name="configuration"><error message="${escaped(error)}"/></testcase>`,
      )
    const errors = error === undefined ? 0 : 1
    return [
      `  <testsuite name="${escaped(path)}" tests="${cases.length}" failures="${failures}" errors="${errors}" time="${seconds.toFixed(3)}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n')
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`
}

/** Characters that XML 1.0 cannot hold become a question mark. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
}
