package io.github.tandemstreams.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler;

/** A bar for each contender's median at each workload. */
final class Chart {

    private Chart() {}

    static void write(List<Run> runs, String title, Path file) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(1200)
                .height(500)
                .title(title)
                .yAxisTitle("records/s")
                .theme(Styler.ChartTheme.XChart)
                .build();
        chart.getStyler().setYAxisDecimalPattern("#,##0");
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNE);
        chart.getStyler().setXAxisLabelRotation(20);
        List<String> contenders = runs.stream().map(Run::contender).distinct().toList();
        for (String workload : runs.stream().map(Run::workload).distinct().toList()) {
            Medians medians = new Medians(runs, workload);
            chart.addSeries(
                    workload,
                    contenders,
                    contenders.stream()
                            .map(each -> medians.perSecond(each).orElse(0))
                            .toList());
        }
        VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
    }
}
