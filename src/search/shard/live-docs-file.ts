/**
 * The live docs of a segment on disk (Lucene's .liv files): a bit per document, set unless it is deleted. The format
 * around it is `checked-file.ts`.
 */
import { checkedBytes, DamagedFile, type FileKind, readChecked } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'

const kind: FileKind = { name: 'live-docs', version: 2, firstRead: 2 }

/** Durable only after its directory was synced. */
export function writeLiveDocs(files: Files, path: string, live: BitSet): void {
  const { buffer, byteOffset, byteLength } = live.words
  files.write(path, checkedBytes(kind, new Uint8Array(buffer, byteOffset, byteLength)))
}

/** `docs` is the number of live documents according to the manifest; NaN where there is no manifest. */
export function readLiveDocs(files: Files, path: string, docCount: number, docs: number): BitSet {
  const body = readChecked(files, path, kind)
  const words = new Uint32Array(new Uint8Array(body).buffer, 0, body.length >>> 2)
  const live = new BitSet(docCount, words)
  if (
    body.length !== live.words.byteLength ||
    words.length !== (docCount + 31) >>> 5 ||
    (live.count !== docs && !Number.isNaN(docs))
  )
    throw new DamagedFile(
      path,
      `belongs to another segment: ${live.count} documents where ${docs} were written`,
    )
  return live
}
