// Renders a chart as `helm template` does and reads every object as the Kubernetes API server does: unknown fields, wrong
// types and missing names are errors.
//
//	chart CHART [VALUES...]
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string, valueFiles []string) error {
	for _, message := range lint.AllWithKubeVersion(folder, map[string]interface{}{}, "default", nil).Messages {
		if message.Severity >= support.WarningSev {
			return fmt.Errorf("lint: %v", message)
		}
	}
	for _, file := range append([]string{""}, valueFiles...) {
		count, err := render(folder, file)
		if err != nil {
			return fmt.Errorf("%s %s: %w", folder, file, err)
		}
		fmt.Printf("%s: %d objects\n", strings.TrimSpace(folder+" "+file), count)
	}
	return nil
}

func render(folder string, valueFile string) (int, error) {
	chart, err := loader.Load(folder)
	if err != nil {
		return 0, err
	}
	values := map[string]interface{}{}
	if valueFile != "" {
		if values, err = chartutil.ReadValuesFile(valueFile); err != nil {
			return 0, err
		}
	}
	release := chartutil.ReleaseOptions{Name: "it", Namespace: "default", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return 0, err
	}
	files, err := engine.Engine{Strict: true}.Render(chart, all)
	if err != nil {
		return 0, err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	count := 0
	for _, name := range names {
		for _, document := range strings.Split(files[name], "\n---") {
			if strings.TrimSpace(document) == "" || strings.HasSuffix(name, ".txt") {
				continue
			}
			if err := check([]byte(document)); err != nil {
				return 0, fmt.Errorf("%s: %w\n%s", name, err, document)
			}
			count++
		}
	}
	return count, nil
}

func check(document []byte) error {
	var head struct {
		Kind     string                 `json:"kind"`
		Metadata map[string]interface{} `json:"metadata"`
	}
	if err := yaml.Unmarshal(document, &head); err != nil {
		return err
	}
	if head.Metadata["name"] == nil {
		return fmt.Errorf("a %s has no name", head.Kind)
	}
	switch head.Kind {
	case "StatefulSet":
		var set apps.StatefulSet
		if err := yaml.UnmarshalStrict(document, &set); err != nil {
			return err
		}
		labels := set.Spec.Template.Labels
		for name, value := range set.Spec.Selector.MatchLabels {
			if labels[name] != value {
				return fmt.Errorf("the pods do not have the label %s that the selector asks for", name)
			}
		}
		pod := set.Spec.Template.Spec
		volumes := map[string]bool{}
		for _, volume := range pod.Volumes {
			volumes[volume.Name] = true
		}
		for _, claim := range set.Spec.VolumeClaimTemplates {
			volumes[claim.Name] = true
		}
		for _, container := range pod.Containers {
			for _, mount := range container.VolumeMounts {
				if !volumes[mount.Name] {
					return fmt.Errorf("there is no volume %s", mount.Name)
				}
			}
		}
		return nil
	case "Service":
		return yaml.UnmarshalStrict(document, &core.Service{})
	case "ConfigMap":
		return yaml.UnmarshalStrict(document, &core.ConfigMap{})
	}
	return fmt.Errorf("no check for a %s", head.Kind)
}
