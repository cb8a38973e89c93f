import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { float } from '../../event/value.ts'
import { codecFor, decodeWith, type TestOptions, testEvent } from '../../plugin/testing.ts'
import protobuf from './protobuf.ts'
import { mutations } from './test-mutations.ts'

const folder = mkdtempSync(join(tmpdir(), 'protobuf-'))
function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const proto = file(
  'unicorn.proto',
  `syntax = "proto3"; // version 3
package Animals;
import "google/protobuf/timestamp.proto";
import "parts/wing.proto";
option java_package = "a.b";
message Unicorn {
  reserved 20 to 30;
  enum Colour { NONE = 0; PINK = 1 [deprecated = true]; }
  string name = 1;
  int64 age = 2;
  repeated sint32 marks = 3 [packed = true];
  Colour colour = 4;
  repeated parts.Wing wings = 5;
  map<string, double> sizes = 6;
  oneof horn { string text = 7; bool broken = 8; }
  google.protobuf.Timestamp born = 9; /* when */
  fixed32 tag = 10;
  optional float luck = 11;
}
service Stable { rpc Feed (Unicorn) returns (Unicorn) {} }
`,
)
mkdirSync(join(folder, 'parts'))
file(
  'parts/wing.proto',
  'syntax = "proto3";\npackage Animals.parts;\nmessage Wing { uint32 feathers = 1; }\n',
)

const calls = file(
  'unicorn_pb.rb',
  `require 'google/protobuf'
Google::Protobuf::DescriptorPool.generated_pool.build do
  add_file("unicorn.proto", :syntax => :proto3) do
    add_message "Animals.Unicorn" do
      optional :name, :string, 1
      optional :age, :int64, 2
      repeated :marks, :sint32, 3
      optional :colour, :enum, 4, "Animals.Unicorn.Colour"
      repeated :wings, :message, 5, "Animals.Unicorn.Wing"
      map :sizes, :string, :double, 6
      optional :born, :message, 9, "google.protobuf.Timestamp"
      optional :tag, :fixed32, 10
      proto3_optional :luck, :float, 11
      oneof :horn do
        optional :text, :string, 7
        optional :broken, :bool, 8
      end
    end
    add_message "Animals.Unicorn.Wing" do
      optional :feathers, :uint32, 1
    end
    add_enum "Animals.Unicorn.Colour" do
      value :NONE, 0
      value :PINK, 1
    end
  end
end
`,
)

/** The descriptor of the same message, as protoc 3.21 writes it. */
const descriptor = Buffer.from(
  [
    'Cg11bmljb3JuLnByb3RvEgdBbmltYWxzGh9nb29nbGUvcHJvdG9idWYvdGltZXN0YW1wLnByb3RvIu4DCgdVbmljb3JuEhIK',
    'BG5hbWUYASABKAlSBG5hbWUSEAoDYWdlGAIgASgDUgNhZ2USFAoFbWFya3MYAyADKBFSBW1hcmtzEi8KBmNvbG91chgEIAEo',
    'DjIXLkFuaW1hbHMuVW5pY29ybi5Db2xvdXJSBmNvbG91chIrCgV3aW5ncxgFIAMoCzIVLkFuaW1hbHMuVW5pY29ybi5XaW5n',
    'UgV3aW5ncxIxCgVzaXplcxgGIAMoCzIbLkFuaW1hbHMuVW5pY29ybi5TaXplc0VudHJ5UgVzaXplcxIUCgR0ZXh0GAcgASgJ',
    'SABSBHRleHQSGAoGYnJva2VuGAggASgISABSBmJyb2tlbhIuCgRib3JuGAkgASgLMhouZ29vZ2xlLnByb3RvYnVmLlRpbWVz',
    'dGFtcFIEYm9ybhIQCgN0YWcYCiABKAdSA3RhZxIXCgRsdWNrGAsgASgCSAFSBGx1Y2uIAQEaIgoEV2luZxIaCghmZWF0aGVy',
    'cxgBIAEoDVIIZmVhdGhlcnMaOAoKU2l6ZXNFbnRyeRIQCgNrZXkYASABKAlSA2tleRIUCgV2YWx1ZRgCIAEoAVIFdmFsdWU6',
    'AjgBIhwKBkNvbG91chIICgROT05FEAASCAoEUElOSxABQgYKBGhvcm5CBwoFX2x1Y2tiBnByb3RvMw==',
  ].join(''),
  'base64',
)
const escaped = [...descriptor].map((byte) =>
  byte >= 32 && byte < 127 && !/["\\#]/.test(String.fromCharCode(byte))
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).padStart(2, '0')}`,
)
const binary = file('new_pb.rb', `descriptor_data = "${escaped.join('')}"\n`)

// What protoc makes of: name: "kim €" age: -5 marks: [1, -2] colour: PINK wings: [{feathers: 7}, {}] sizes {a: 1.5}
// broken: true born {seconds: 5 nanos: 6} tag: 4000000000
const message = Buffer.from(
  '0a076b696d20e282ac10fbffffffffffffffff011a02020320012a0208072a00320c0a016111000000000000f83f40014a04080510065500286bee',
  'hex',
)
const fields = {
  name: 'kim €',
  age: -5,
  marks: [1, -2],
  colour: 'PINK',
  wings: [{ feathers: 7 }, { feathers: 0 }],
  sizes: { a: 1.5 },
  broken: true,
  born: { seconds: 5, nanos: 6 },
  tag: 4000000000,
}

const version3 = (class_file: string, more: TestOptions = {}) =>
  codecFor(protobuf, { class_name: 'Animals.Unicorn', class_file, protobuf_version: 3, ...more })

describe('protobuf', () => {
  it.each([
    ['a .proto file', proto],
    ['a Ruby file of calls', calls],
    ['a Ruby file with a descriptor', binary],
  ])('reads messages by the definitions of %s, and writes them', (_, path) => {
    const codec = version3(path)
    expect(decodeWith(codec, message)).toEqual([fields])
    const event = testEvent(fields)
    event.remove('@timestamp')
    event.remove('@version')
    expect(decodeWith(codec, Buffer.from(codec.encode!(event) as Uint8Array))).toEqual([fields])
  })

  it('gives defaults for what is absent, and takes definitions below a root', () => {
    const codec = codecFor(protobuf, {
      class_name: 'Animals.Unicorn',
      class_file: 'unicorn.proto',
      protobuf_root_directory: folder,
      protobuf_version: 3,
    })
    const empty = { name: '', age: 0, marks: [], colour: 'NONE', wings: [], sizes: {}, tag: 0 }
    expect(decodeWith(codec, Buffer.from('5d0000803f', 'hex'))).toEqual([{ ...empty, luck: float(1) }])
  })

  it('says which field of a oneof was there', () => {
    const codec = version3(proto, { pb3_set_oneof_metainfo: true })
    expect(decodeWith(codec, message)[0]!['@metadata']).toEqual({ pb_oneof: { horn: 'broken' } })
  })

  it('reads version 2 by Ruby files of ruby-protoc: what is there, enums as numbers', () => {
    const path = file(
      'unicorn.pb.rb',
      `module Animals
  # forward declarations
  class Unicorn < ::ProtocolBuffers::Message; end
  module Colour
    include ::ProtocolBuffers::Enum
    NONE = 0
    PINK = 1
  end
  class Unicorn < ::ProtocolBuffers::Message
    class Wing < ::ProtocolBuffers::Message
      optional :uint32, :feathers, 1
    end
    required :string, :name, 1
    optional ::Animals::Colour, :colour, 4
    repeated ::Animals::Unicorn::Wing, :wings, 5
  end
end
`,
    )
    const codec = codecFor(protobuf, { class_name: 'Animals::Unicorn', include_path: [path] })
    expect(decodeWith(codec, message)).toEqual([{ name: 'kim €', colour: 1, wings: [{ feathers: 7 }, {}] }])
  })

  it('converts where it may, and refuses the rest', () => {
    const write = (given: Record<string, unknown>, options: TestOptions = {}) => {
      const event = testEvent(given as never)
      event.remove('@timestamp')
      event.remove('@version')
      return Buffer.from(version3(proto, options).encode!(event) as Uint8Array).toString('hex')
    }
    expect(write({ name: 5, age: '7', broken: 'true', luck: 1 })).toBe('0a0135100740015d0000803f')
    expect(() => write({ name: 5 }, { pb3_encoder_autoconvert_types: false })).toThrow(
      'is not of the type string',
    )
    expect(() => write({ age: 'old' })).toThrow('Animals.Unicorn.age is not of the type int64')
    expect(() => write({ other: 1 })).toThrow('the field other is not in the definition of Animals.Unicorn')
  })

  it.each([
    [{ class_name: 'A' }, 'Need to specify'],
    [{ class_name: 'Animals.Pony', class_file: proto }, 'The message Animals.Pony is not defined'],
    [{ class_name: 'A', class_file: file('empty.proto', '') }, 'No definitions were found'],
  ])('refuses %j', (options, expected) => {
    expect(() => codecFor(protobuf, options)).toThrow(expected)
  })

  it('tags what it cannot read', () => {
    expect(decodeWith(version3(proto), Buffer.from('0a05', 'hex'))).toEqual([
      { message: '\n\u0005', tags: ['_protobufdecodefailure'] },
    ])
    expect(() => decodeWith(version3(proto, { stop_on_error: true }), 'x')).toThrow()
  })

  it('makes one event of each of 10,000 mutated messages', () => {
    const codec = version3(proto)
    for (const bytes of mutations([message], 10_000)) {
      const events = decodeWith(codec, bytes)
      if (bytes.length > 0 && events.length !== 1) expect.fail(bytes.toString('hex'))
    }
  })
})
