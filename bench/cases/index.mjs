// All cases, in the order in which they run and are reported.
import { apacheFull, apacheUtf8All, apacheUtf8Some } from './apache-full.mjs'
import apacheParity from './apache-parity.mjs'
import apiPolling from './api-polling.mjs'
import coldStart from './cold-start.mjs'
import configCheck from './config-check.mjs'
import enrich from './enrich.mjs'
import fileJson from './file-json.mjs'
import { filtersDate, filtersGrok, filtersMutate, filtersOther, filtersParsing } from './filters.mjs'
import generatorDots from './generator-dots.mjs'
import generatorNull from './generator-null.mjs'
import { grokGarbage, grokTenth, grokTruncated } from './grok-miss.mjs'
import grokNull from './grok-null.mjs'
import idleMemory from './idle-memory.mjs'
import jsonBulk from './json-bulk.mjs'
import redos from './redos.mjs'
import stdinJson from './stdin-json.mjs'
import storeFairness from './store-fairness.mjs'
import storeHttp from './store-http.mjs'
import storeIngest from './store-ingest.mjs'
import storePaging from './store-paging.mjs'
import storeRestart from './store-restart.mjs'
import syslogChain from './syslog-chain.mjs'
import tcpJsonMutate from './tcp-json-mutate.mjs'

export const cases = [
  generatorNull,
  generatorDots,
  stdinJson,
  fileJson,
  tcpJsonMutate,
  jsonBulk,
  grokNull,
  apacheFull,
  apacheUtf8Some,
  apacheUtf8All,
  apacheParity,
  enrich,
  syslogChain,
  grokTenth,
  grokGarbage,
  grokTruncated,
  redos,
  filtersGrok,
  filtersDate,
  filtersMutate,
  filtersParsing,
  filtersOther,
  storePaging,
  storeFairness,
  storeRestart,
  apiPolling,
  coldStart,
  idleMemory,
  configCheck,
  storeHttp,
  storeIngest,
]
