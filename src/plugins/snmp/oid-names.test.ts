import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordingLogger } from '../../plugin/testing.ts'
import { providedMibs } from './client.ts'
import { loadMibs } from './mib-files.ts'
import { readModules, resolveDefinitions } from './mib-text.ts'
import { OidNames } from './oid-names.ts'

const plain = { rootSkip: 0, pathLength: 0 }

async function provided(): Promise<OidNames> {
  const names = new OidNames()
  await loadMibs([providedMibs()], names, recordingLogger())
  return names
}

describe('names of OIDs', () => {
  // The examples of the documentation of the snmp input.
  it.each([
    [
      '1.3.6.1.2.1.1.2.0',
      { format: 'default', ...plain },
      'iso.org.dod.internet.mgmt.mib-2.system.sysObjectID.0',
    ],
    ['1.3.6.1.2.1.1.2.0', { format: 'ruby_snmp', ...plain }, 'SNMPv2-MIB::sysObjectID.0'],
    ['1.3.6.1.2.1.1.2.0', { format: 'dotted_string', ...plain }, '1.3.6.1.2.1.1.2.0'],
    ['1.3.6.1.2.1.1.1.0', { format: 'default', rootSkip: 5, pathLength: 0 }, 'mib-2.system.sysDescr.0'],
    ['1.3.6.1.2.1.1.1.0', { format: 'default', rootSkip: 0, pathLength: 2 }, 'sysDescr.0'],
    ['1.3.6.1.2.1.2.2.1.2.10', { format: 'ruby_snmp', ...plain }, 'IF-MIB::ifDescr.10'],
    ['1.3.6.1.6.3.1.1.5.3', { format: 'ruby_snmp', ...plain }, 'IF-MIB::linkDown'],
    ['9.9.9', { format: 'ruby_snmp', ...plain }, '9.9.9'],
    ['9.9.9', { format: 'default', ...plain }, '9.9.9'],
  ] as const)('%s as %j', async (oid, mapping, expected) => {
    expect((await provided()).map(oid, mapping)).toBe(expected)
  })

  it('without any are numbers', () => {
    const names = new OidNames()
    expect(names.map('1.3.6.1.2.1.1.1.0', { format: 'default', rootSkip: 5, pathLength: 0 })).toBe('1.1.1.0')
    expect(names.map('1.3.6.1.2.1.1.1.0', { format: 'default', rootSkip: 0, pathLength: 2 })).toBe('1.0')
  })

  it('come from a file of smidump, with labels', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'millrace-mib-')), 'ACME-MIB.dic')
    await writeFile(
      file,
      `# python version 1.0
FILENAME = "ACME-MIB"
MIB = {
    "moduleName" : "ACME-MIB",
    "imports" : (
        {"module" : "SNMPv2-SMI", "name" : "enterprises"},
    ),
    "nodes" : {
        "acmeState" : {
            "nodetype" : "scalar",
            "moduleName" : "ACME-MIB",
            "oid" : "1.3.6.1.4.1.99999.1",
            "syntax" : { "type" : { "basetype" : "Enumeration",
                "off" : { "nodetype" : "namednumber", "number" : "0" },
                "on" : { "nodetype" : "namednumber", "number" : "1" }, }, },
            "description" :
                """The state, "on" or (off).""",
        }, # scalar
        "broken" : { "nodetype" : "node" },
        "odd" : { "oid" : "1.x" },
    }, # nodes
    "notifications" : {
        "acmeTrap" : { "nodetype" : "notification", "oid" : "1.3.6.1.4.1.99999.0.1" },
    },
}
`,
    )
    const names = new OidNames()
    const logger = recordingLogger()
    await loadMibs([file], names, logger)
    expect(names.map('1.3.6.1.4.1.99999.1.0', { format: 'ruby_snmp', ...plain })).toBe(
      'ACME-MIB::acmeState.0',
    )
    expect(names.map('1.3.6.1.4.1.99999.0.1', { format: 'ruby_snmp', ...plain })).toBe('ACME-MIB::acmeTrap')
    expect(names.labelOf('1.3.6.1.4.1.99999.1.0', 1)).toBe('on')
    expect(logger.messages('warn')).toEqual([
      `The MIB file \`${file}\` node \`broken\` has no defined OID. Skipping`,
      `The MIB file \`${file}\` node \`odd\` has an invalid OID value \`1.x\`. Skipping`,
    ])
  })

  it('come from a folder of YAML files and modules', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-mib-'))
    await writeFile(
      join(folder, 'OLD-MIB.yaml'),
      '---\noldThing: 1.3.6.1.4.1.5.1\n"quoted": "1.3.6.1.4.1.5.2"\n',
    )
    await writeFile(
      join(folder, 'NEW-MIB.txt'),
      `NEW-MIB DEFINITIONS ::= BEGIN
       IMPORTS enterprises FROM SNMPv2-SMI; -- a comment { x 1 }
       new OBJECT IDENTIFIER ::= { iso org(3) dod(6) internet(1) private(4) enterprises(1) 6 }
       newState OBJECT-TYPE SYNTAX INTEGER { up(1), down(2) } MAX-ACCESS read-only
         DESCRIPTION "a ::= { b 1 } -- no comment" ::= { new 3 }
       END`,
    )
    await writeFile(join(folder, 'readme.md'), 'not a MIB')
    const names = new OidNames()
    await loadMibs([folder], names, recordingLogger())
    expect(names.map('1.3.6.1.4.1.5.2.0', { format: 'ruby_snmp', ...plain })).toBe('OLD-MIB::quoted.0')
    expect(names.map('1.3.6.1.4.1.6.3.0', { format: 'ruby_snmp', ...plain })).toBe('NEW-MIB::newState.0')
    expect(names.labelOf('1.3.6.1.4.1.6.3.0', 2)).toBe('down')
  })

  it('of modules that go in a circle are left out', () => {
    const text = 'M DEFINITIONS ::= BEGIN a OBJECT IDENTIFIER ::= { b 1 } b OBJECT IDENTIFIER ::= { a 1 } END'
    expect(resolveDefinitions(readModules(text))).toEqual([])
  })
})
