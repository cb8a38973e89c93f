// A long but ordinary pipeline configuration for the config check: many small conditional blocks with json,
// mutate and split, the way grown configurations look. The answer has exactly the number of lines asked for (at least 20).
import { seeded } from './random.mjs'

const fields = ['message', '[event][original]', 'payload']
const levels = ['debug', 'info', 'warn', 'error']

function block(random, number) {
  return [
    `  if [type] == "service-${number}" and [level] != "${random.pick(levels)}" {`,
    '    json {',
    `      source => "${random.pick(fields)}"`,
    `      tag_on_failure => ["unparsed_${number}"]`,
    '    }',
    '    split {',
    '      field => "[items]"',
    '    }',
    '    mutate {',
    `      rename => { "host_${number}" => "[source][name]" }`,
    `      add_field => { "[labels][team]" => "team-${random.below(40)} of %{type}" }`,
    '      convert => { "bytes" => "integer" }',
    '    }',
    `  } else if [path] =~ /service-${number}\\/.*\\.log$/ or "slow" in [tags] {`,
    `    mutate { add_tag => ["seen_${number}"] remove_field => ["tmp_${number}"] }`,
    '  }',
  ]
}

export function pipelineConfig(lineCount, seed) {
  const random = seeded(seed)
  const head = ['input {', '  stdin { }', '}', 'filter {']
  const tail = ['}', 'output {', '  stdout { codec => json_lines }', '}']
  const body = []
  for (let number = 0; ; number++) {
    const next = block(random, number)
    if (head.length + body.length + next.length + tail.length > lineCount) break
    body.push(...next)
  }
  while (head.length + body.length + tail.length < lineCount) body.push('  # kept from an older setup')
  return `${[...head, ...body, ...tail].join('\n')}\n`
}
