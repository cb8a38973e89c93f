// Compares the pattern engine with Ruby itself: every pattern on every text, place and captures.
// Runs only where `ruby` is on the PATH; prints the number of differences. Usage:
//   node test/extra/regex-differential.mjs [--seed N] [--rounds N] [--verbose]
// Node 22 and later run the TypeScript sources directly; on Node 20 bundle src/regex/pattern.ts first and
// name the bundle with --engine path.mjs.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const argument = (name, fallback) => {
  const at = process.argv.indexOf(name)
  return at === -1 ? fallback : process.argv[at + 1]
}
const here = new URL('.', import.meta.url)
const engine = argument('--engine', undefined)
const seed = Number(argument('--seed', '1'))
const rounds = Number(argument('--rounds', '2000'))
const verbose = process.argv.includes('--verbose')

if (spawnSync('ruby', ['-v']).error) {
  console.log('regex-differential: skipped, no ruby on the PATH')
  process.exit(0)
}

const { compilePattern } = await import(
  engine ? pathToFileURL(resolve(engine)) : new URL('../../src/regex/pattern.ts', here)
)

const oracle = `
require 'json'
require 'timeout'
$stdin.each_line do |line|
  row = JSON.parse(line)
  begin
    re = Regexp.new(row['pattern'], row['flags'])
    out = row['texts'].map do |text|
      begin
        m = Timeout.timeout(2) { re.match(text) }
        m && [m.pre_match, *m.to_a]
      rescue Timeout::Error, ArgumentError
        'timeout'
      end
    end
    puts JSON.generate({ matches: out })
  rescue RegexpError => e
    puts JSON.generate({ error: e.message.encode('UTF-8', invalid: :replace) })
  end
end
`

const rows = [...fixedCases(), ...randomCases(seed, rounds)]
const ruby = spawnSync('ruby', ['-W0', '-EUTF-8:UTF-8', '-e', oracle], {
  input: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  encoding: 'utf8',
  maxBuffer: 1 << 30,
})
const answers = ruby.stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
if (answers.length !== rows.length)
  throw new Error(`ruby stopped after ${answers.length} rows: ${ruby.stderr}`)

let searches = 0
let different = 0
let messages = 0
let noted = 0
let timeouts = 0
const report = (kind, row, text, expected, actual) => {
  if (verbose)
    console.log(
      kind,
      JSON.stringify({ ...row, texts: text }),
      'ruby',
      JSON.stringify(expected),
      'ours',
      JSON.stringify(actual),
    )
}
for (const [i, row] of rows.entries()) {
  const answer = answers[i]
  let pattern
  try {
    pattern = compilePattern(row.pattern, {
      ignoreCase: (row.flags & 1) !== 0,
      extended: (row.flags & 2) !== 0,
      multiline: (row.flags & 4) !== 0,
    })
  } catch (error) {
    if (answer.error === undefined) {
      if (/not supported|supported at the start/.test(error.message)) noted++
      else different++
      report('REFUSED', row, [], 'accepted', error.message)
    } else if (answer.error !== error.message) {
      messages++
      report('MESSAGE', row, [], answer.error, error.message)
    }
    continue
  }
  if (answer.error !== undefined) {
    different++
    report('ACCEPTED', row, [], answer.error, 'accepted')
    continue
  }
  for (const [t, text] of row.texts.entries()) {
    const expected = answer.matches[t]
    if (expected === 'timeout') continue
    searches++
    let match
    try {
      match = pattern.exec(text)
    } catch (error) {
      if (error.name !== 'PatternTimeout') throw error
      timeouts++
      continue
    }
    const actual =
      match === null ? null : [text.slice(0, match.index), ...match.groups.map((group) => group ?? null)]
    if (JSON.stringify(actual) === JSON.stringify(expected) && pattern.test(text) === (expected !== null))
      continue
    if (pattern.notes.length > 0) noted++
    else different++
    report(pattern.notes.length > 0 ? 'NOTED' : 'DIFFERENT', row, text, expected, actual)
  }
}
console.log(
  `regex-differential: ${rows.length} patterns, ${searches} searches, ${different} differences, ${messages} other error texts, ${noted} differences in noted or unsupported constructs, ${timeouts} time-outs`,
)
process.exitCode = different === 0 ? 0 : 1

function fixedCases() {
  const texts = [
    '',
    'a',
    'b',
    'ab',
    'aab',
    'abc',
    'AbC',
    'foo bar',
    'a\n',
    '\n',
    'a\nb',
    'a\r\nb\n',
    '\r\n',
    'x(a(b)c)y',
    '"a\\"b" c',
    'caf\u0436 s\u017f k\u212a',
    'stra\u00dfe STRASSE',
    '\u0416t\u0436',
    '\u0663 12',
    '\u{1f600}x',
    'e\u0301x',
    'a\u00a0b\tc\u000bd',
    'aaa bbb',
    '2024-01-02T03:04:05Z [WARN] x=1, y="2"',
    '192.168.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 12',
    'foo.bar@example.com',
    'A1b2-C3_d4',
    '$+<=>^`|~!',
    '\u0130\u0131Ii',
    '\ufb01 fi \ufb03',
    '\u2028x',
    'pL NOyo',
    '-]^\\',
  ]
  const patterns =
    String.raw`^$ ^b a$ a\Z a\z \Ab . .+ (.)(.)? \bb \Bb \w+ \W+ \d+ \D \s+ \S+ \h+ \H+ \R \R+ [[:alpha:]]+ [[:^alpha:]]+ [[:word:]]+ [[:space:]] [[:punct:]]+ [[:upper:]]+ [[:lower:]]+ [[:digit:]]+ [[:alnum:]]+ [[:graph:]]+ [[:print:]]+ [[:cntrl:]] [[:blank:]]+ [[:xdigit:]]+ [[:ascii:]]+ [^[:alnum:]]+
\p{L}+ \p{Lu} \P{L}+ \p{^L} \p{Latin}+ \p{Alnum}+ \p{Emoji} [\p{L}&&[^a-c]]+ [a-z&&[^b]]+ [^a-z&&[^b]]+ [a-c&&b-d] [a&&] [[a]b[c-d]]+ [^[^a]] []a] [^]a] [a-] [\]\\^-]+ [\b] [\w.-]+ [^\w]+ [\h&&\d]+
(?i)abc (?i)k (?i)s+ (?i)ss (?i)\u00df (?i)\u0436 (?i:A)b a(?i)B|c (?i:[a-c])+ (?i:[^a])+ (?i)[[:upper:]]+ (?i)\p{Lu}+ (?i:\p{Ll}) (?i)[^a-z]+ (?i)(a)\1 (?i-m:A.)b (?-i:a)B (?m).+ (?m:.)b (?x)a\ b#c (?x:\u0020a)b (?i)fi (?i)\ufb03 (?i)i+ (?i:i)+ (?i:K)x? (?i)st
(a)|(b) (?:(a)|(b))* (a*)? (a?)* (a*)* (?:(a?))+ (a)?b (?:a(b)?)+ ((a)|b)+ (a|ab)(c|bcd)? (?>a|ab)c (?>a+)b a++b a*+a a?+a (?>\d+)\. (?>a|b)+c "(?>\\.|[^\\"]+)*+" a{2} a{2}? a{2,3}? a{,2} a{1,} a{2}+ a{0} (?:a{1,2}){2} a+? .*?b a{x {a [{2}]
(?<n>a)(b) (?<n>a)\k<n> (?<n>a)|(?<n>b) (?<[x][y]>a)(?<@z>b) (?'q'a)b (a)(b)\2 (a)\k<1> (a)\k<-1> (a)\1 \10 (?<n>a|b)\g<n> \g<1>(a|b) (?<p>\((?:[^()]|\g<p>)*\)) (?<y>\d+)-(?<m>\d+)
(?=a)b (?=(a))a (?!a). (?<=a)b (?<!a)b (?<=a|bc)c (?<=^|,)b (?<![0-9])\d+(?![0-9]) (?=a)* ^* $? \b+ (?:^|x)a a(?#c)b \Aa|b\z (?=.*b)a \Ga \G\w
\x41 \x61 \u0061 \u{61 62} \u{1f600} \xc3\xa9 \303\251 \141 \0 \cA \C-a \t \n \a \e \f \v \x \xff \u12 \uD800 \N \O \y \pL \Q \é \/ \- \! \"
(?u)\w+ (?a)[[:alpha:]]+ (?a)\b. (?u:\s) (?d)\w (?ai)k (?u)\b\w+\b (?a:\w+)[[:alpha:]] (?u)[\w-]+ (?u)\D+
( ) a) (? (?< (?<a (?<>a) (?z) (?i * +a a|* (*FAIL) [a [] [z-a] [[:foo:]] [a-\d] [\d-a] \p{Foo} (?<1a>x) a{3,1} a{100001} \1 (a)\2 (?<a>x)\1 (?<a>x)\k<b> \g<b> \g<3>(a) \ (?<=a+)b (?<!(a))b (?<=a(?:b|cd))e (?<=(?=a))b (?<n>\g<n>) (?:a (?=a (?P<n>a) \k< \k<> \u{ \u{} \c \M- \777
^(?<ts>[\d-]+T[\d:]+Z) \[(?<level>\w+)\] (?<k>\w+)="?(?<v>[^",]*)"?
(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3}) "(?<verb>\w+) (?<path>\S+) HTTP/(?<ver>[\d.]+)"
[\w.+-]+@[\w-]+\.[\w.]+ \A(?:[A-Z]\d[a-z]\d-?)+ ^(?!.*x) ^\s*$ (^|\s)b(\s|$)`.split(/[\n ]/)
  const rows = []
  for (const pattern of [
    ...patterns,
    'a b',
    ' ',
    '^(.*) (.*)$',
    '(?x) a  b # comment (\n',
    '(?m)^(.*)$',
    'a\\',
    '[a\\',
    '(?<a b>x)',
  ])
    for (const flags of [0, 1, 4]) rows.push({ pattern, flags, texts })
  return rows
}

/**
 * Random patterns over a small alphabet, from a seed: what people do not think of writing down. Left out
 * on purpose: Latin-1 letters in classes, whose case Ruby fails to ignore; texts with ß and the long s,
 * which a class or `s{2}` of Ruby takes for `ss`; characters beyond the BMP, inside of which V8 finds
 * empty matches.
 */
function randomCases(seed, count) {
  let state = seed >>> 0
  const random = (n) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % n
  }
  const pick = (list) => list[random(list.length)]
  const atoms = [
    'a',
    'b',
    'c',
    'A',
    'k',
    's',
    'ж',
    '.',
    '\\w',
    '\\d',
    '\\s',
    '\\W',
    '[ab]',
    '[^a]',
    '[a-c]',
    '[[:alpha:]]',
    '[^\\n]',
    '\\p{L}',
    ' ',
    '1',
    'ß',
    '\\h',
    '[a-z&&[^b]]',
    '[жa]',
  ]
  const zero = ['^', '$', '\\b', '\\B', '\\A', '\\z', '\\Z', '(?=a)', '(?!b)', '(?<=a)', '(?<!b)']
  const quantifiers = [
    '',
    '',
    '',
    '',
    '*',
    '+',
    '?',
    '*?',
    '+?',
    '??',
    '{2}',
    '{1,2}',
    '++',
    '*+',
    '?+',
    '{2}?',
  ]
  const generate = (depth) => {
    let out = ''
    for (let i = 1 + random(3); i > 0; i--) {
      const kind = random(12)
      if (kind < 7 || depth > 2) out += pick(atoms) + pick(quantifiers)
      else if (kind === 7) out += pick(zero)
      else {
        const open = pick(['(', '(?:', '(?>', '(?i:', '(', '(?:', '(?-i:', '(?m:', '(?=', '(?!'])
        const body = random(3) === 0 ? `${generate(depth + 1)}|${generate(depth + 1)}` : generate(depth + 1)
        out += `${open}${body})${pick(quantifiers)}`
      }
    }
    return out
  }
  const letters = [
    'a',
    'a',
    'b',
    'b',
    'c',
    'A',
    'B',
    '1',
    ' ',
    '\n',
    'ж',
    'Ж',
    'k',
    'K',
    '\u212a',
    's',
    '-',
    '\u0663',
  ]
  const word = () => Array.from({ length: random(8) }, () => pick(letters)).join('')
  return Array.from({ length: count }, () => {
    const pattern = random(6) === 0 ? `${generate(0)}|${generate(0)}` : generate(0)
    return { pattern, flags: pick([0, 0, 1, 4, 5]), texts: Array.from({ length: 12 }, word) }
  })
}
