// The Ruby of the ruby filter against a real Ruby: every snippet of test/data/ruby-snippets.json is run by both,
// and every difference is printed, except where the file says that JRuby, the Ruby of Logstash, answers otherwise. With
// `--from FILE` (a JSON list of texts) the snippets come from there; `--write` then stores those the file does not have,
// with the answers of the real one.
// Needs: ruby. Usage: node test/extra/ruby-differential.mjs --engine .tmp/ruby.mjs [--write] [--from FILE]
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

process.env.TZ = 'UTC'
const argument = (name) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const data = fileURLToPath(new URL('../data/ruby-snippets.json', import.meta.url))
const from = argument('--from')
const table = JSON.parse(readFileSync(data, 'utf8'))
const known = new Set(table.snippets.map(([code]) => code))
const asJRuby = new Set(table.snippets.filter(([, , engine]) => engine === 'JRuby').map(([code]) => code))
const codes = from === undefined ? [...known] : JSON.parse(readFileSync(from, 'utf8'))

const oracle = `
require 'json'; require 'time'; require 'date'; require 'digest'; require 'base64'; require 'securerandom'
require 'uri'; require 'ipaddr'; require 'set'; require 'csv'; require 'yaml'; require 'openssl'; require 'cgi'
require 'bigdecimal'; require 'bigdecimal/util'; require 'zlib'
answers = JSON.parse(STDIN.read).map do |code|
  begin
    Object.new.instance_eval { eval(code, binding) }.inspect
  rescue Exception => e
    "#{e.class}: #{e.message}"
  end
end
puts JSON.generate([RUBY_VERSION, answers])
`
const ruby = spawnSync('ruby', ['-W0', '--disable=did_you_mean', '--disable=error_highlight', '-e', oracle], {
  input: JSON.stringify(codes),
  encoding: 'utf8',
  env: { ...process.env, LANG: 'C.UTF-8' },
  timeout: 120_000,
})
if (ruby.status !== 0) {
  console.error(ruby.stderr || String(ruby.error))
  process.exit(1)
}
const [version, answers] = JSON.parse(ruby.stdout)

if (process.argv.includes('--write')) {
  const added = codes.flatMap((code, i) => (known.has(code) ? [] : [[code, answers[i]]]))
  const lines = [...table.snippets, ...added].map((snippet) => `    ${JSON.stringify(snippet)}`)
  writeFileSync(
    data,
    `{\n  "ruby": ${JSON.stringify(table.ruby)},\n  "snippets": [\n${lines.join(',\n')}\n  ]\n}\n`,
  )
  console.log(`${added.length} snippets written, answered by Ruby ${version}`)
}

const { compileProgram, exceptionOf, inspectValue } = await import(
  pathToFileURL(resolve(argument('--engine') ?? '.tmp/ruby.mjs')).href
)

function ours(code) {
  try {
    const program = compileProgram([{ label: 'code', text: code, parameters: [] }], { className: 'Object' })
    return inspectValue(program.runs[0]())
  } catch (error) {
    const exception = exceptionOf(error)
    return exception === undefined ? String(error) : `${exception.rubyClass.name}: ${exception.message}`
  }
}

let different = 0
let skipped = 0
codes.forEach((code, i) => {
  const got = ours(code)
  if (got === answers[i]) return
  if (asJRuby.has(code)) {
    skipped += 1
    return
  }
  different += 1
  console.log(`${code}\n  Ruby: ${answers[i]}\n  ours: ${got}`)
})
console.log(
  `${codes.length} snippets, ${different} different from Ruby ${version}, and ${skipped} answered as JRuby does instead`,
)
process.exit(different === 0 ? 0 : 1)
