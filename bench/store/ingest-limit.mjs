// The least a store can do: node bench/store/ingest-limit.mjs DATA. Documents in bodies of 5,000 are appended to a log
// and synced, then compressed in blocks of 32 KiB. Nothing can be found in it. Prints one JSON object.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants, crc32 } from 'node:zlib'

const BODY = 5000 * 728
const BLOCK = 32 * 1024
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const directory = mkdtempSync(join(tmpdir(), 'ingest-limit-'))
const log = openSync(join(directory, 'log'), 'w')
const data = openSync(process.argv[2], 'r')
const bytes = Buffer.allocUnsafe(BODY)
const spent = { log: 0, blocks: 0 }
let docs = 0
let raw = 0
let stored = 0

function timed(what, work) {
  const from = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(from)
  spent[what] += user + system
}

for (let got = readSync(data, bytes); got > 0; got = readSync(data, bytes)) {
  const body = bytes.subarray(0, got)
  timed('log', () => {
    crc32(body)
    writeSync(log, body)
    fdatasyncSync(log)
  })
  timed('blocks', () => {
    for (let at = 0; at < got; at += BLOCK)
      stored += brotliCompressSync(body.subarray(at, at + BLOCK), fast).length
  })
  raw += got
  for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) docs++
}
closeSync(log)
rmSync(directory, { recursive: true })
const figures = {
  ingest: spent.log / docs,
  allIn: (spent.log + spent.blocks) / docs,
  size: stored / raw,
  mergeMB: process.memoryUsage.rss() / 1e6,
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
