// Floor of `generator { count => N }` to `stdout { codec => dots }`: node generator-dots.mjs N
import { dotWriter } from './dot-writer.mjs'
import { generate } from './generator.mjs'

const dots = dotWriter()
generate(Number(process.argv[2]), (batch) => dots.add(batch.length))
dots.flush()
