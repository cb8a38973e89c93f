import java.nio.file.Path;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Starts one quiet OpenSearch node on loopback and waits until its standard input ends. Arguments: directory, port. */
public class OracleNode {
  public static void main(String[] arguments) throws Exception {
    String directory = arguments[0];
    String port = arguments[1];
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((number, settings) -> {
      settings.put("network.host", "127.0.0.1");
      settings.put("http.host", "127.0.0.1");
      settings.put("http.port", port);
      settings.put("transport.port", "0");
      settings.put("discovery.type", "single-node");
      settings.putList("node.roles", "cluster_manager", "data", "ingest", "remote_cluster_client");
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
      settings.put("indices.breaker.total.use_real_memory", false);
      settings.put("script.max_compilations_rate", "10000/1m");
      settings.putList("path.repo", Path.of(directory, "repository").toString());
    });
    runner.build(OpenSearchRunner.newConfigs()
        .clusterName("oracle").numOfNode(1).basePath(directory).pluginTypes(""));
    runner.ensureYellow();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Nothing is said on standard input; its end is the end of the parent.
    }
    runner.close();
  }
}
