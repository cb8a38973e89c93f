// Floor of `file { mode => read }` to a json_lines file: node file-lines-json.mjs INPUT OUTPUT
import { openSync } from 'node:fs'
import { hostname } from 'node:os'
import { linesToJson } from './lines-to-json.mjs'

const [input, output] = process.argv.slice(2)
linesToJson(openSync(input), openSync(output, 'w'), { host: hostname(), path: input })
