// The two engines of the ruby filter against each other: every snippet of test/data/ruby-snippets.json is run by our
// compiled Ruby and by the real one in WebAssembly, and every difference is printed. That one is Ruby 3.4, ours is 3.1
// as Logstash has it: what the language itself changed in between is made equal first.
// Usage: node test/extra/ruby-wasm-differential.mjs --engine FILE [--from FILE]
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

process.env.TZ = 'UTC'
const argument = (name) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const data = fileURLToPath(new URL('../data/ruby-snippets.json', import.meta.url))
const from = argument('--from')
const { snippets } = JSON.parse(readFileSync(data, 'utf8'))
const codes = from === undefined ? snippets.map(([code]) => code) : JSON.parse(readFileSync(from, 'utf8'))

const { compileProgram, exceptionOf, inspectValue, rubyMachine } = await import(
  pathToFileURL(resolve(argument('--engine'))).href
)
const ruby = await rubyMachine()

// Ruby 3.4 shows hashes as { "a" => 1, b: 2 }; 3.1 as {"a"=>1, :b=>2}.
ruby.evaluate(`
  require 'set'; require 'csv'
  class ::Hash
    def inspect
      return '{}' if empty?
      return '{...}' if Thread.current[:shown]&.include?(object_id)
      (Thread.current[:shown] ||= []) << object_id
      begin
        '{' + map { |k, v| k.inspect + '=>' + v.inspect }.join(', ') + '}'
      ensure
        Thread.current[:shown].delete(object_id)
      end
    end
    alias to_s inspect
  end`)

/** Texts of errors that the versions word differently. */
function leveled(text) {
  return text
    .replace(/`([^`']*)'/g, "'$1'")
    .replace(/(uninitialized constant )#<Class:\w+>::/, '$1')
    .replace(/ for an instance of [\w:]+/, ' for VALUE')
    .replace(/ for (?:nil|true|false|(?:class|module) \w+)\b/, ' for VALUE')
    .replace(/(undefined (?:method|local variable or method) '[^']*') for .*/s, '$1 for VALUE')
    .replace(/'(?:[A-Z]\w*(?:::\w+)*[#.])([^']*)'/g, "'$1'")
}

function ours(code) {
  try {
    const program = compileProgram([{ label: 'code', text: code, parameters: [] }], { className: 'Object' })
    return inspectValue(program.runs[0]())
  } catch (error) {
    const exception = exceptionOf(error)
    return exception === undefined ? String(error) : `${exception.rubyClass.name}: ${exception.message}`
  }
}

/** The image has no bigdecimal, which is a gem since 3.4, and no network. */
const lacking = /^NoMethodError: undefined method '(?:BigDecimal|to_d|sockaddr_in|pack_sockaddr_in)'/

/** What 3.4 does differently on purpose, or WebAssembly has not. */
const known = new Set([
  '__method__.inspect',
  'JSON.pretty_generate({"a" => [1, {}], "b" => {}})',
  // Equal keys come in any order.
  '["b", "B", "a"].sort_by(&:downcase)',
  // Ours are the answers of JRuby, which is the Ruby of Logstash.
  ...snippets.filter(([, , engine]) => engine === 'JRuby').map(([code]) => code),
])

let different = 0
let skipped = 0
for (const code of codes) {
  const [own, real] = [ours(code), ruby.evaluate(code)]
  if (leveled(own) === leveled(real)) continue
  if (known.has(code) || lacking.test(real)) {
    skipped += 1
    continue
  }
  different += 1
  console.log(`${code}\n  WebAssembly: ${real}\n  ours: ${own}`)
}
console.log(`${codes.length} snippets, ${different} different, ${skipped} known to differ`)
process.exit(different === 0 ? 0 : 1)
