// Floor of `stdin {}` to `stdout { codec => json_lines }`: node stdin-lines-json.mjs < INPUT > OUTPUT
import { hostname } from 'node:os'
import { linesToJson } from './lines-to-json.mjs'

linesToJson(0, 1, { host: hostname() })
