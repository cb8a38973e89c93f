/**
 * `GET _script_context` and `GET _script_language`: the contexts in which scripts run, with the methods of each, and the
 * languages they may be in, as OpenSearch 3.8 lists them.
 */
import { type Answer, type Route, route, timeouts } from '../route.ts'

/** A context a line: its name, then its methods as `result name(type name, …)`, with short names of classes. */
const contextLines = `
aggregation_selector: boolean execute(); Map getParams()
aggs: Object execute(); Map getDoc(); Map getParams(); Number get_score(); Object get_value()
aggs_combine: Object execute(); Map getParams(); Map getState()
aggs_init: void execute(); Map getParams(); Object getState()
aggs_map: void execute(); Map getDoc(); Map getParams(); Map getState(); double get_score()
aggs_reduce: Object execute(); Map getParams(); List getStates()
analysis: boolean execute(AnalysisToken token)
bucket_aggregation: Number execute(); Map getParams()
context_aware_grouping: String execute(Map ctx)
derived_field: void execute(); Map getDoc(); List getEmittedValues(); Map getParams()
field: Object execute(); Map getDoc(); Map getParams()
filter: boolean execute(); Map getDoc(); Map getParams()
ingest: void execute(Map ctx); Map getParams()
interval: boolean execute(Interval interval)
moving-function: double execute(Map params, double[] values)
number_sort: double execute(); Map getDoc(); Map getParams(); double get_score()
painless_test: Object execute(); Map getParams()
processor_conditional: boolean execute(Map ctx); Map getParams()
score: double execute(ExplanationHolder explanation); Map getDoc(); Map getParams(); double get_score()
script_heuristic: double execute(Map params)
search: void execute(Map ctx); Map getParams()
similarity: double execute(double weight, Query query, Field field, Term term, Doc doc)
similarity_weight: double execute(Query query, Field field, Term term)
string_sort: String execute(); Map getDoc(); Map getParams(); double get_score()
template: String execute(); Map getParams()
terms_set: Number execute(); Map getDoc(); Map getParams()
update: void execute(); Map getCtx(); Map getParams()`

const classes: Readonly<Record<string, string>> = {
  Map: 'java.util.Map',
  List: 'java.util.List',
  Object: 'java.lang.Object',
  Number: 'java.lang.Number',
  String: 'java.lang.String',
  AnalysisToken: 'org.opensearch.analysis.common.AnalysisPredicateScript$Token',
  Interval: 'org.opensearch.index.query.IntervalFilterScript$Interval',
  ExplanationHolder: 'org.opensearch.script.ScoreScript$ExplanationHolder',
  Query: 'org.opensearch.index.similarity.ScriptedSimilarity$Query',
  Field: 'org.opensearch.index.similarity.ScriptedSimilarity$Field',
  Term: 'org.opensearch.index.similarity.ScriptedSimilarity$Term',
  Doc: 'org.opensearch.index.similarity.ScriptedSimilarity$Doc',
}

const classOf = (name: string) => classes[name] ?? name

function methodOf(text: string) {
  const [, result = '', name = '', given = ''] = /^(\S+) (\w+)\((.*)\)$/.exec(text.trim()) ?? []
  const params = given === '' ? [] : given.split(', ').map((one) => one.split(' '))
  return {
    name,
    return_type: classOf(result),
    params: params.map(([type = '', parameter = '']) => ({ type: classOf(type), name: parameter })),
  }
}

const contexts = contextLines
  .trim()
  .split('\n')
  .map((line) => {
    const end = line.indexOf(':')
    return {
      name: line.slice(0, end),
      methods: line
        .slice(end + 1)
        .split(';')
        .map(methodOf),
    }
  })

/** The contexts of Lucene expressions, which compute numbers only. */
const expressionContexts =
  'aggregation_selector aggs bucket_aggregation field filter number_sort score terms_set'.split(' ')

const languages = {
  types_allowed: ['inline', 'stored'],
  language_contexts: [
    { language: 'expression', contexts: expressionContexts },
    { language: 'mustache', contexts: ['template'] },
    { language: 'painless', contexts: contexts.map(({ name }) => name) },
  ],
}

export const scriptContextRoutes: readonly Route[] = [
  route('GET', '/_script_context', timeouts, (): Answer => ({ body: { contexts } })),
  route('GET', '/_script_language', timeouts, (): Answer => ({ body: languages })),
]
