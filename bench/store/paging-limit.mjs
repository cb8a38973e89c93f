// The least a page can cost, and all scores: node bench/store/paging-limit.mjs DOCUMENTS. Ten documents are unpacked
// from a compressed block and parsed; scores of two words, each in a fifth of the documents, are added up and the ten
// best kept; who scores fewer takes less. Nothing is looked up and no request is read. Prints one JSON object, CPU
// milliseconds.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { seeded } from '../generate/random.mjs'
import { lines } from '../generate/store-logs.mjs'
import { statistics } from '../statistics.mjs'

const TIMES = 20
const PER_BLOCK = 45
const documents = Number(process.argv[2])
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

function typical(work) {
  for (let i = 0; i < TIMES; i++) work()
  const times = Array.from({ length: TIMES }, () => {
    const from = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1000
  })
  return statistics(times).median
}

const block = brotliCompressSync([...lines(PER_BLOCK, 42)].join('\n'), fast)
const page = typical(() =>
  brotliDecompressSync(block)
    .toString()
    .split('\n', 10)
    .map((line) => JSON.parse(line)),
)

const random = seeded(42)
const words = [0, 1].map(() =>
  Uint32Array.from({ length: Math.ceil(documents / 5) }, (_, i) => i * 5 + random.below(5)),
)
const sums = new Float32Array(documents + 5)
const pair = typical(() => {
  sums.fill(0)
  for (const docs of words) for (let i = 0; i < docs.length; i++) sums[docs[i]] += 1 / (1 + (docs[i] & 7))
  const best = new Float32Array(10)
  for (let doc = 0; doc < documents; doc++) {
    if (sums[doc] <= best[0]) continue
    best[0] = sums[doc]
    best.sort()
  }
})
process.stdout.write(`${JSON.stringify({ page, pair })}\n`)
