/**
 * Hides in a `_cat` table what no two nodes agree on: ids, times, sizes, loads and counters of a node. What is left
 * are columns, rows, texts and errors.
 */
import type { Answer } from './compare.ts'

/** Tables whose numbers depend on the node. */
const figures = /^\/_cat\/(?:allocation|nodes|indices|shards|segments|thread_pool|recovery|tasks)\b/

export function maskedTable(path: string, answer: Answer): Answer {
  if (!path.startsWith('/_cat/') || /[?&]help/.test(path) || answer.status !== 200) return answer
  const text = answer.text
    .replace(/(?<![\w-])[\w-]{22}(?![\w-])/g, 'id')
    .replace(/\b\d{10,13}\b/g, 'epoch')
    .replace(/\d\d\d\d-\d\d-\d\dT[\d:.]+Z/g, 'date')
    .replace(/\b\d\d:\d\d:\d\d\b/g, 'time')
    .replace(/\b[\d.]+(?:b|kb|mb|gb|tb|s|ms|micros|nanos|m|h|d)\b/g, 'amount')
  if (!figures.test(path)) return { ...answer, text }
  const masked = text.replace(/(?<![\w.])\d+(?:\.\d+)*/g, 'number').replace(/amount|epoch/g, 'number')
  // Names of segments, and whether their files are one file.
  const named = /segments/.test(path)
    ? masked.replace(/\b_\w+\b/g, 'segment').replace(/\bfalse\b/g, 'true')
    : masked
  return { ...answer, text: named.replace(/ +/g, ' ').replace(/^ /gm, '').replace(/ $/gm, '') }
}
