// Floor of the syslog-chain case, file to file: node syslog-chain.mjs INPUT OUTPUT
// Per line: one anchored expression, the time read by its places, one object literal, JSON.stringify.
import { hostname } from 'node:os'
import { eachLine } from './each-line.mjs'
import { lineWriter } from './line-writer.mjs'

const [input, output] = process.argv.slice(2)
const host = hostname()
const writer = lineWriter(output)
const year = new Date().getUTCFullYear()
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (text) => text.replace(' ', '0').padStart(2, '0')
const severities = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'informational', 'debug']
const facilities = [
  ...['kernel', 'user-level', 'mail', 'daemon', 'security/authorization', 'syslogd', 'line printer'],
  ...['network news', 'uucp', 'clock', 'security/authorization', 'ftp', 'ntp', 'log audit', 'log alert'],
  ...['clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
]
const expression = /^<(\d+)>(\w{3}) ([ \d]\d) (\d\d:\d\d:\d\d) (\S+) ([^[:]+)\[(\d+)\]: (.*)$/

eachLine(input, (line, ascii) => {
  const found = expression.exec(line)
  if (found === null) throw new Error(`not a syslog line: ${line}`)
  const priority = Number(found[1])
  const month = String(months.indexOf(found[2]) + 1).padStart(2, '0')
  const event = {
    '@timestamp': `${year}-${month}-${two(found[3])}T${found[4]}.000Z`,
    '@version': '1',
    message: found[8],
    host,
    path: input,
    syslog_pri: found[1],
    syslog_program: found[6],
    syslog_pid: found[7],
    received_from: host,
    kind: 'syslog',
    origin: `${found[5]}/${found[6]}`,
    environment: 'bench',
    syslog_severity_code: priority & 7,
    syslog_severity: severities[priority & 7],
    syslog_facility_code: priority >> 3,
    syslog_facility: facilities[priority >> 3],
  }
  writer.add(JSON.stringify(event), ascii)
})
writer.flush()
