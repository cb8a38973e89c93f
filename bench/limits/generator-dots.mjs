// Floor of `generator { count => N }` to `stdout { codec => dots }`: node generator-dots.mjs N
import { writeSync } from 'node:fs'
import { generate } from './generator.mjs'

const DOTS = Buffer.alloc(65_536, '.')
let pending = 0

const flush = () => {
  while (pending > 0) pending -= writeSync(1, DOTS, 0, Math.min(pending, DOTS.length))
}
generate(Number(process.argv[2]), (batch) => {
  pending += batch.length
  if (pending >= DOTS.length) flush()
})
flush()
