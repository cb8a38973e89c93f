// Floor of `generator { count => N }` to `null {}`: node generator-null.mjs N
import { generate } from './generator.mjs'

const count = Number(process.argv[2])
let seen = 0
generate(count, (batch) => {
  seen += batch.length
})
if (seen !== count) process.exitCode = 1
