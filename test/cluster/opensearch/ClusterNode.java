import java.nio.file.Path;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * One node of an OpenSearch cluster on loopback, in a Java machine of its own so that it can be stopped and killed.
 * Runs until its standard input ends. Arguments: directory, name, port of HTTP, port of the transport, the names of all
 * nodes, the transport addresses of all nodes (both separated by commas).
 */
public class ClusterNode {
  public static void main(String[] arguments) throws Exception {
    String directory = arguments[0];
    String name = arguments[1];
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((number, settings) -> {
      settings.put("node.name", name);
      settings.put("network.host", "127.0.0.1");
      settings.put("http.host", "127.0.0.1");
      settings.put("http.port", arguments[2]);
      settings.put("transport.port", arguments[3]);
      settings.putList("cluster.initial_cluster_manager_nodes", arguments[4].split(","));
      settings.putList("discovery.seed_hosts", arguments[5].split(","));
      settings.put("discovery.type", "zen");
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
      settings.put("indices.breaker.total.use_real_memory", false);
      settings.put("script.max_compilations_rate", "10000/1m");
      settings.putList("path.repo", Path.of(directory, "repository").toString());
    });
    runner.build(OpenSearchRunner.newConfigs()
        .clusterName("millrace-test").numOfNode(1).basePath(directory).pluginTypes(""));
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Nothing is said on standard input; its end is the end of the parent.
    }
    runner.close();
  }
}
