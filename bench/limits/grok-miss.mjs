// Floor of the grok-miss cases: node grok-miss.mjs INPUT tenth|none
// `tenth`: each of nine patterns is ruled out by a text it needs, then the tenth is matched; a dot per match.
// `none`: one anchored expression that fails; a dot per failure.
import { combined } from './apache-line.mjs'
import { dotWriter } from './dot-writer.mjs'
import { eachLine } from './each-line.mjs'

const needed = ['sshd[', 'action=', ' took ', ' -> ', '][', 'CMD (', 'cost=', 'status=installed', 'queue-id']
const [input, kind] = process.argv.slice(2)
const dots = dotWriter()
const BATCH = 125
let batch = []

const tenth = (line) => {
  for (const text of needed) if (line.includes(text)) return
  const found = combined.exec(line)
  if (found === null) return
  dots.add(1)
  batch.push(found)
  if (batch.length === BATCH) batch = []
}
const none = (line) => {
  if (combined.exec(line) === null) dots.add(1)
}

eachLine(input, kind === 'tenth' ? tenth : none)
dots.flush()
