#include "tests/unit/query/captured_run.h"

#include "tests/support/span_between.h"

namespace warpglass::test {

CapturedRun::CapturedRun(const Options& options) : m_options(options), m_random(options.seed) {
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string name = i == 0 ? "main" : "thread 1";
        m_ops[i] = m_writer.addTrack(TrackKind::kCpuThread, name);
        m_calls[i] = m_writer.addTrack(TrackKind::kApiThread, "CUDA calls · " + name);
    }
    if (options.fillsAmongCopies)
        m_copies = m_writer.addTrack(TrackKind::kGpuCopies, "GPU 0 · copies");
    for (int graph = 0; graph < options.captures; ++graph) {
        const std::size_t first = nodes.size();
        capture((static_cast<std::uint64_t>(graph) + 2) << 32);
        for (std::int32_t step = 0; step < 2; ++step)
            replay(2 * graph + step, first);
    }
    if (options.loss)
        m_writer.countLoss(options.loss);
    m_writer.settle();
    m_writer.commit(Nanoseconds(m_now));
    snapshot = m_writer.feed()->latest();
    index.update(*snapshot);
}

SpanRef CapturedRun::at(TrackId track, std::uint32_t depth, std::uint64_t row) const {
    return {snapshot->lanesOf(track)[depth].id(), row};
}

std::int64_t CapturedRun::chance(std::int64_t below) {
    return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(below));
}

SpanRow CapturedRun::span(std::int64_t begin, std::int64_t end, const std::string& name, PlaceId place,
                          std::int32_t step, std::uint64_t link) {
    return spanBetween(m_writer, begin, end, name, {.place = place, .step = step, .link = link});
}

void CapturedRun::capture(std::uint64_t graph) {
    const std::int64_t begin = m_now;
    std::uint64_t id = graph + 1;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const auto thread = static_cast<std::size_t>(chance(2));
        const std::string op = "aten::op" + std::to_string(chance(4));
        const std::string module = "blocks." + std::to_string(chance(3));
        const PlaceId place = m_writer.internPlace({Phase::kForward, m_writer.internName(module), {}});
        const std::int64_t from = m_now += 10;
        const std::int64_t calls = chance(4);
        for (std::int64_t c = 0; c < calls; ++c) {
            const std::int64_t kind = chance(6);
            const std::int64_t at = m_now += 10;
            const bool makesNode = kind != 0 && kind != 2,
                       lost = makesNode && m_options.lostCall == nodes.size();
            if (!lost)
                m_writer.appendSpan(m_calls[thread], 0,
                                    span(at, at + 5,
                                         kind == 0   ? "cuMemAlloc_v2"
                                         : kind == 1 ? "cuMemsetD8Async"
                                                     : "cuLaunchKernel",
                                         place, kNoStep, ++m_correlation));
            if (kind == 2)  // outside the graph, and run at once
                m_writer.appendSpan(m_kernels, 0,
                                    span(at + 6, at + 8, "kernel", place, kNoStep, m_correlation));
            if (makesNode)
                nodes.push_back({id += static_cast<std::uint64_t>(1 + chance(3)), thread, m_callRows[thread],
                                 m_opRows[thread], m_moduleRows, place, m_writer.internName(op),
                                 static_cast<int>(chance(3)), kind == 1});
            m_callRows[thread] += lost ? 0 : 1;
        }
        m_now += 10;
        m_writer.appendSpan(m_ops[thread], 0, span(from, m_now, "aten::outer", place, kNoStep));
        m_writer.appendSpan(m_ops[thread], 1, span(from + 1, m_now - 1, op, place, kNoStep));
        ++m_opRows[thread];
        m_writer.appendSpan(m_modules, 0, span(from, m_now, module, place, kNoStep));
        ++m_moduleRows;
    }
    m_writer.appendSpan(m_steps, 0, span(begin, ++m_now, "graph capture", {}, kNoStep));
}

void CapturedRun::replay(std::int32_t step, std::size_t first) {
    const std::int64_t begin = ++m_now;
    m_writer.appendSpan(m_calls[0], 0, span(begin, begin + 5, "cuGraphLaunch", {}, step, ++m_correlation));
    ++m_callRows[0];
    m_now += 10;
    for (std::size_t i = first; i < nodes.size(); ++i) {
        if (m_options.lostNode == i)
            continue;
        const Node& node = nodes[i];
        SpanDetail detail{.op = node.opName, .graphNode = node.id};
        SpanRow kernel = span(m_now, m_now + 3, "kernel", node.place, step, m_correlation);
        kernel.detail = m_writer.internDetail(detail);
        AllocationRow allocation{.requested = 512, .bytes = 512, .place = node.place, .step = step};
        for (int a = 0; a < node.allocations; ++a)
            m_writer.appendAllocation(Nanoseconds(m_now), allocation);
        m_writer.appendSpan(node.fills && m_copies.valid() ? m_copies : m_kernels, 0, kernel);
        m_now += 3;  // the next begins as this one ends
    }
    m_writer.appendSpan(m_steps, 0, span(begin, ++m_now, "step", {}, step));
}

}  // namespace warpglass::test
