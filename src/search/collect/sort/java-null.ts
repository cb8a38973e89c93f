/**
 * The words of Java where null is given and a number is meant: Lucene unboxes the value of `search_after`, and
 * Elasticsearch and OpenSearch answer with the null pointer exception.
 */
export function boxedNull(box: 'Integer' | 'Long' | 'Float' | 'Double'): string {
  const primitive = box === 'Integer' ? 'int' : box.toLowerCase()
  return `Cannot invoke "java.lang.${box}.${primitive}Value()" because "value" is null`
}
