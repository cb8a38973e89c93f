import { describe, expect, it } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { runFilter } from '../../plugin/testing.ts'
import syslogPri from './syslog-pri.ts'

describe('syslog_pri', () => {
  it.each<[unknown, number, string, number, string]>([
    ['0', 0, 'emergency', 0, 'kernel'],
    ['13', 5, 'notice', 1, 'user-level'],
    [191, 7, 'debug', 23, 'local7'],
    ['34abc', 2, 'critical', 4, 'security/authorization'],
    [['165', '1'], 5, 'notice', 20, 'local4'],
    ['abc', 0, 'emergency', 0, 'kernel'],
  ])('%j', async (syslog_pri, severityCode, severity, facilityCode, facility) => {
    expect(await runFilter(syslogPri, {}, [{ syslog_pri: syslog_pri as string }])).toEqual([
      {
        syslog_pri,
        syslog_severity_code: severityCode,
        syslog_severity: severity,
        syslog_facility_code: facilityCode,
        syslog_facility: facility,
      },
    ])
  })

  it('counts a missing priority as 13', async () => {
    const [fields] = await runFilter(syslogPri, { add_tag: ['ok'] }, [{}])
    expect(fields).toMatchObject({ syslog_severity_code: 5, syslog_facility_code: 1, tags: ['ok'] })
  })

  it('tags facilities that do not exist, and gives numbers without names', async () => {
    const fields = [
      { syslog_pri: '192' },
      { syslog_pri: new LsFloat(12345678) },
      { syslog_pri: 9007199254740993n },
    ]
    expect(await runFilter(syslogPri, {}, fields)).toMatchObject([
      { syslog_facility_code: 24, syslog_severity_code: 0, tags: ['_syslogpriparsefailure'] },
      { syslog_facility_code: 1543209, syslog_severity_code: 6, tags: ['_syslogpriparsefailure'] },
      { syslog_facility_code: 1125899906842624, syslog_severity_code: 1, tags: ['_syslogpriparsefailure'] },
    ])
  })

  it('takes another field and other names, or none', async () => {
    const options = { syslog_pri_field_name: 'p', severity_labels: ['a', 'b'], facility_labels: ['c'] }
    expect(await runFilter(syslogPri, options, [{ p: 1 }, { p: 10 }])).toEqual([
      { p: 1, syslog_severity_code: 1, syslog_severity: 'b', syslog_facility_code: 0, syslog_facility: 'c' },
      { p: 10, syslog_severity_code: 2, syslog_facility_code: 1 },
    ])
    expect(await runFilter(syslogPri, { ...options, use_labels: false }, [{ p: 1 }])).toEqual([
      { p: 1, syslog_severity_code: 1, syslog_facility_code: 0 },
    ])
  })

  it('uses the names of the schema', async () => {
    expect(await runFilter(syslogPri, {}, [{}], { ecs: 'v1' })).toEqual([
      {
        log: {
          syslog: { severity: { code: 5, name: 'notice' }, facility: { code: 1, name: 'user-level' } },
        },
      },
    ])
  })
})
