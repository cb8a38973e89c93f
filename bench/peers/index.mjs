// The other log shippers this suite can run, and which of them are here. A peer is a subject like Millrace: it runs in
// the same rounds, in a work directory of its own, in the foreground, and is stopped by its pid.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findProgram, libraryFolders } from './find.mjs'
import fluentBit from './fluent-bit.mjs'
import logstash from './logstash.mjs'
import rsyslog from './rsyslog.mjs'
import syslogNg from './syslog-ng.mjs'
import vector from './vector.mjs'

const VERSION_LIMIT_MS = 30_000

/**
 * A peer declares `program`, `version` (flags that print it) and `cases`: for a case's id, a function of `place` (as in
 * throughput.mjs) and of `{ root, version, config, apiPort }` (where it was found, and Millrace's own configuration of
 * the case) that answers
 *  - `files`: configuration files, name to text, written to the work directory;
 *  - `flags`: the command line behind the program;
 *  - `stdin`: true if it reads the input file from there;
 *  - `ends`: true if it ends by itself when the input does; otherwise it is stopped when all lines are written.
 * `sameOutput`: ids of the cases whose output must equal ours by value; in the others only lines are counted.
 */
export const peers = [fluentBit, rsyslog, syslogNg, vector, logstash]

/** The peers that are here, as subjects. */
export function foundPeers(environment = process.env) {
  return peers.flatMap((peer) => {
    const found = findProgram(peer.program, environment)
    if (found === undefined) return []
    const libraries = [...libraryFolders(found.root), environment.LD_LIBRARY_PATH].filter(Boolean)
    const env = found.root === undefined ? {} : { LD_LIBRARY_PATH: libraries.join(delimiter) }
    return [
      { name: peer.program, kind: 'peer', peer, ...found, env, version: versionOf(peer, found.path, env) },
    ]
  })
}

// What it says about itself; empty when it does not. A peer that cannot even do this will fail when it runs, and
// then the report says why.
function versionOf(peer, path, env) {
  try {
    const said = execFileSync(path, peer.version, {
      env: { ...process.env, ...env },
      timeout: VERSION_LIMIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return /\d+\.\d+(?:\.\d+)*/.exec(said.toString())?.[0] ?? ''
  } catch {
    return ''
  }
}

/** What to run for a case: configuration files are in place afterwards. */
export function peerRun(subject, caseId, place, here) {
  const { files, flags, stdin = false, ends } = subject.peer.cases[caseId](place, { ...subject, ...here })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.directory, name), text)
  return { command: [subject.path, ...flags], env: subject.env, stdin, ends }
}

export const canRun = (subject, caseId) =>
  subject.kind !== 'peer' || Object.hasOwn(subject.peer.cases, caseId)
