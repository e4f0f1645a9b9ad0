#include "engine/plan/paper_step.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/plan/paper_attention.h"
#include "engine/plan/paper_ops.h"
#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

/// The attention workload on paper (paper_ops.h): q, k and v made once, a pass over them as often as there
/// are steps, and their gradients, which stay from one pass to the next.
class PaperAttentionStep {
public:
    /// Both outlive it.
    PaperAttentionStep(const RunConfig& config, MemoryWalk& walk);

    /// Set-up and the fullest pass: one that finds the gradients of the last, where there are several.
    void runFullestStep();

    /// Set-up, to be followed by passes.
    void begin();
    /// The first of them makes the gradients.
    void runStep();

private:
    const RunConfig& m_config;
    MemoryWalk& m_walk;
    PaperOps m_ops;
    const AttentionPlan& m_attention;
    std::array<PaperTensor, 3> m_heads;  // q, k and v
    PaperTensor m_mask;
    std::array<PaperTensor, 2> m_workspaces;
};

PaperAttentionStep::PaperAttentionStep(const RunConfig& config, MemoryWalk& walk)
    : m_config(config), m_walk(walk), m_ops(walk, config), m_attention(attentionPlan(config)) {}

void PaperAttentionStep::begin() {
    m_walk.begin("setup", "queries, keys and values");
    for (PaperTensor& each : m_heads)
        each = m_ops.make(kLeaves, m_ops.sizes().streamHalf);
    if (makesMaskTable(m_config))
        m_mask = m_ops.make(kMask, m_ops.sizes().mask);
    const bool usesCublas = m_ops.sizes().gpu && m_attention.record != AttentionRecord::kOneKernel;
    for (std::size_t thread = 0; usesCublas && thread < (m_ops.keeps() ? 2 : 1); ++thread)
        m_workspaces[thread] = m_ops.make(kWorkspace, PaperSizes::kThreadsWorkspace);
}

void PaperAttentionStep::runFullestStep() {
    begin();
    if (m_ops.keeps() && Saturating(m_config.warmup) + m_config.steps > Saturating(1))
        for (std::size_t head = 0; head < m_heads.size(); ++head)
            m_ops.arrive(head, {});
    runStep();
}

void PaperAttentionStep::runStep() {
    m_walk.begin("forward", "attention");
    PaperAttention saved;
    PaperTensor output;
    {
        auto [q, k, v] = m_heads;
        output = m_attention.forward(m_ops, q, k, v, saved);
    }
    if (!m_ops.keeps())
        return;
    m_walk.begin("backward", "attention");
    const PaperTensor ones = m_ops.make(kFlow, m_ops.sizes().streamHalf);
    PaperHeadGradients made = m_attention.backward(m_ops, ones, saved);
    for (std::size_t head = 0; PaperTensor * each : {&made.q, &made.k, &made.v}) {
        if (each->holds())
            m_ops.arrive(head, std::exchange(*each, {}));
        ++head;
    }
}

/// What autograd keeps of a layer.
struct PaperBlock {
    PaperNorm norm1, norm2;
    PaperLinear q, k, v, output;
    PaperAttention attention;
    PaperFeedForward feedForward;
};

class PaperStep {
public:
    PaperStep(const RunConfig& config, MemoryWalk& walk)
        : m_config(config),
          m_shape(config.shape),
          m_walk(walk),
          m_ops(m_walk, config),
          m_sizes(m_ops.sizes()),
          m_attention(attentionPlan(config)),
          m_norm(planOf(config.norm)),
          m_feedForward(planOf(config.feedForward)),
          m_rotary(planOf(config.rotary)),
          m_loss(planOf(config.loss)),
          m_square(Saturating(m_shape.dModel) * m_shape.dModel),
          m_wide(Saturating(m_shape.dModel) * m_shape.dFf),
          m_embedding(Saturating(m_shape.dModel) * m_shape.vocabulary),
          m_parameters(parameterCount(m_shape)),
          m_moments(m_parameters * 4 * planOf(config.optimizer).moments) {}

    /// Set-up and the fullest step; the layers between the first and the last are only sums.
    void runFullestStep() {
        m_blocks.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(m_shape.layers, 1, 2)));
        setUp();
        forward();
        loss();
        if (m_config.mode != Mode::kForward)
            backward();
        if (m_config.mode == Mode::kStep) {
            m_walk.begin("optimizer", "the update of the last weight");
            if (!m_hasMoments)
                m_walk.add(kMoments, m_moments);
        }
    }

    /// Set-up with every tensor by itself, to be followed by steps with every layer.
    void begin() {
        m_blocks.resize(static_cast<std::size_t>(m_shape.layers));
        m_weights = parameterTensors(m_shape);
        for (const ParameterTensor& weight : m_weights) {
            const Saturating numbers = Saturating(weight.rows) * weight.columns;
            m_tables.push_back(m_ops.make(kWeights, numbers * 4));
            if (keepsWeightCopies(m_config) && isOfProduct(weight))
                copy(weight.module, numbers * 2);
        }
        m_tables.push_back(m_ops.make(kRotations, m_sizes.rotations));
        if (makesMaskTable(m_config))
            m_tables.push_back(m_ops.make(kMask, m_sizes.mask));
        for (int i = 0; i < 2; ++i)
            m_tables.push_back(m_ops.make(kBatch, m_sizes.tokens * 8));
    }

    /// The first of them makes the optimizer's moments.
    void runStep() {
        forward();
        loss();
        if (m_config.mode == Mode::kForward)
            return;
        backward();
        if (m_config.mode == Mode::kStep && !m_hasMoments) {
            for (const ParameterTensor& weight : m_weights)
                m_ops.keepMoments(Saturating(weight.rows) * weight.columns);
            m_hasMoments = true;
        }
        m_ops.dropGradients();
    }

private:
    /// A weight's 16-bit copy; those of a joined product are made together, after the last of its weights.
    void copy(std::string_view module, Saturating bytes) {
        if (const JoinedProduct* joined = joinedProduct(m_config, module)) {
            if (!module.ends_with(joined->weights.back()))
                return;
            bytes = bytes * static_cast<std::int64_t>(joined->weights.size());
        }
        m_tables.push_back(m_ops.make(kWeightCopies, bytes));
    }

    bool everyLayer() const { return m_walk.allocator() != nullptr; }

    void setUp() {
        m_walk.begin("setup", "the model and its tables");
        m_walk.add(kWeights, m_parameters * 4);
        if (keepsWeightCopies(m_config))
            m_walk.add(kWeightCopies, productWeights() * 2);
        m_walk.add(kRotations, m_sizes.rotations);
        if (makesMaskTable(m_config))
            m_walk.add(kMask, m_sizes.mask);
        m_walk.add(kBatch, m_sizes.tokens * 16);
        if (m_sizes.gpu)
            m_walk.add(kWorkspace, PaperSizes::workspaceBytes(m_config));
        // The first step makes the moments at its very end; every later step has them throughout.
        m_hasMoments =
            m_config.mode == Mode::kStep && Saturating(m_config.warmup) + m_config.steps > Saturating(1);
    }

    void forward() {
        m_walk.begin("forward", "the first layer");
        if (m_hasMoments && !everyLayer())
            m_walk.add(kMoments, m_moments);
        m_stream = m_ops.kept(kResidual, m_sizes.stream);
        const std::vector<MemoryWalk::Live> before = m_walk.live();
        blockForward(m_blocks.front());
        for (std::size_t layer = 1; layer < m_blocks.size(); ++layer) {
            beginLastLayer(before);
            blockForward(m_blocks[layer]);
        }
        m_walk.begin("forward", "the logits");
        {
            const PaperTensor y = normed(m_lastNorm);
            m_stream.reset();
            m_logits = m_ops.linear(y, m_sizes.stream, m_ops.normNarrows(), m_embedding, kLogits,
                                    m_sizes.logits * m_sizes.half, m_head);
        }
        m_ops.dropWeightCasts();
        // Without a backward pass the copies go with the autocast scope, those of middle layers too.
        if (!m_ops.keeps() && m_sizes.mixed && !keepsWeightCopies(m_config) && !everyLayer())
            m_walk.remove(kWeightCasts, Saturating(m_shape.layers - 2) * (m_square * 4 + m_wide * 3) * 2);
    }

    /// Numbers in all weights of products: those of the layers, and the head's.
    Saturating productWeights() const {
        return Saturating(m_shape.layers) * (m_square * 4 + m_wide * 3) + m_embedding;
    }

    /// After the layers between the first and the last, which one stands for. A branch that is yet to be
    /// added is there once.
    void beginLastLayer(const std::vector<MemoryWalk::Live>& beforeFirst) {
        const bool pending = m_branch.holds() && !everyLayer();
        if (pending)
            m_branch.reset();
        if (!everyLayer())
            m_walk.repeatSince(beforeFirst, m_shape.layers - 2);
        m_walk.begin("forward", "the last layer");
        if (pending)
            m_branch = m_ops.make(kScratch, m_sizes.streamHalf);
    }

    void blockForward(PaperBlock& block) {
        attention(block);
        join(m_feedForward.forward(m_ops, normed(block.norm2), block.feedForward));
        block.feedForward.hidden.reset();
    }

    PaperTensor normed(PaperNorm& saved) {
        return m_norm.forward(m_ops, m_stream, std::move(m_branch), saved);
    }

    /// Adds a branch to the residual stream, now or by the next norm.
    void join(PaperTensor branch) {
        if (m_norm.addsAndNarrows)
            m_branch = std::move(branch);
        else
            m_stream = m_ops.addResidual(std::move(branch));
    }

    void attention(PaperBlock& block) {
        PaperTensor y = normed(block.norm1);
        PaperTensor q, k, v;
        if (joinsHeads(m_config)) {
            q = m_ops.linear(y, m_sizes.stream, m_ops.normNarrows(), m_square * 3, headsKind(),
                             m_sizes.streamHalf * 3, block.q);
            k = v = q;  // in the same tensor
            if (splitsByHead(m_config)) {
                const PaperTensor joined = q;
                for (PaperTensor* each : {&q, &k, &v})
                    *each = m_ops.kept(kHeads, m_sizes.streamHalf);
            }
        } else {
            q = rotated(y, block.q);
            k = rotated(y, block.k);
            v = project(y, headsKind(), block.v);
        }
        PaperTensor merged =
            attendOnPaper(m_ops, std::move(q), std::move(k), std::move(v), std::move(y), block.attention);
        // The merged heads are a parameter of the module's call, and so live until the sum is there.
        join(
            m_ops.linear(merged, m_sizes.stream, true, m_square, kScratch, m_sizes.streamHalf, block.output));
    }

    PaperTensor rotated(const PaperTensor& y, PaperLinear& saved) {
        return m_rotary.forward(m_ops, project(y, m_rotary.inPlace ? headsKind() : kScratch, saved),
                                headsKind());
    }

    PaperTensor project(const PaperTensor& y, const MemoryWalk::Kind& kind, PaperLinear& saved) {
        return m_ops.linear(y, m_sizes.stream, m_ops.normNarrows(), m_square, kind, m_sizes.streamHalf,
                            saved);
    }

    MemoryWalk::Kind headsKind() const {
        return m_ops.keeps() && m_attention.keepsLayout ? kHeads : kScratch;
    }

    void loss() {
        m_walk.begin("loss", "the log-probabilities");
        m_loss.forward(m_ops, std::move(m_logits), m_savedLoss);
    }

    void backward() {
        m_walk.begin("backward", "the loss");
        PaperTensor gradient = m_loss.backward(m_ops, m_savedLoss);
        m_walk.begin("backward", "the head");
        gradient = m_ops.linearBackward(std::move(gradient), m_head);
        PaperStreamGradient stream = m_norm.backward(m_ops, std::move(gradient), {}, m_lastNorm);

        const std::vector<MemoryWalk::Live> before = m_walk.live();
        for (std::size_t layer = m_blocks.size(); layer-- > 1;) {
            m_walk.begin("backward", "the last layer");
            stream = blockBackward(std::move(stream), m_blocks[layer]);
            if (!everyLayer())
                m_walk.repeatSince(before, m_shape.layers - 2);
        }
        m_walk.begin("backward", "the first layer");
        stream = blockBackward(std::move(stream), m_blocks.front());
        m_walk.begin("backward", "the embedding's gradient");
        m_ops.keepGradient(m_embedding);
    }

    PaperStreamGradient blockBackward(PaperStreamGradient stream, PaperBlock& block) {
        stream = feedForwardBackward(std::move(stream), block);
        return attentionBackward(std::move(stream), block);
    }

    /// The residual stream's gradient as it enters a branch's last product.
    PaperTensor branchOf(PaperStreamGradient& stream) {
        return stream.branch.holds() ? std::move(stream.branch) : m_ops.enterBranch(stream.stream);
    }

    PaperStreamGradient feedForwardBackward(PaperStreamGradient stream, PaperBlock& block) {
        PaperTensor sum = m_feedForward.backward(m_ops, branchOf(stream), block.feedForward);
        return m_norm.backward(m_ops, std::move(sum), std::move(stream.stream), block.norm2);
    }

    PaperStreamGradient attentionBackward(PaperStreamGradient stream, PaperBlock& block) {
        PaperTensor merged = m_ops.linearBackward(branchOf(stream), block.output);
        PaperHeadGradients heads = m_attention.backward(m_ops, std::move(merged), block.attention);
        PaperTensor sum = joinsHeads(m_config) ? joinedBackward(std::move(heads), block)
                                               : headsBackward(std::move(heads), block);
        return m_norm.backward(m_ops, std::move(sum), std::move(stream.stream), block.norm1);
    }

    PaperTensor headsBackward(PaperHeadGradients heads, PaperBlock& block) {
        PaperTensor sum = m_ops.linearBackward(gathered(std::move(heads.v)), block.v);
        PaperTensor second =
            m_ops.linearBackward(m_rotary.backward(m_ops, std::move(heads.k)), block.k, true);
        sum = m_ops.addGradients(std::move(sum), std::move(second));
        PaperTensor third = m_ops.linearBackward(m_rotary.backward(m_ops, std::move(heads.q)), block.q, true);
        return sum;
    }

    /// The gradients of the heads are rotated in the tensor that holds all three, into which those of an
    /// attention that gives three are copied.
    PaperTensor joinedBackward(PaperHeadGradients heads, PaperBlock& block) {
        PaperTensor whole = m_attention.joinsGradients ? heads.q : m_ops.make(kFlow, m_sizes.streamHalf * 3);
        heads = {};
        return m_ops.linearBackward(std::move(whole), block.q);
    }

    /// From (B, H, S, d) to what the projection made: a copy, unless it lies so already.
    PaperTensor gathered(PaperTensor gradient) {
        if (!m_attention.keepsLayout)
            gradient = m_ops.make(kFlow, m_sizes.streamHalf);
        return gradient;
    }

    const RunConfig& m_config;
    const ModelShape& m_shape;
    MemoryWalk& m_walk;
    PaperOps m_ops;
    const PaperSizes& m_sizes;
    const AttentionPlan& m_attention;
    const NormPlan& m_norm;
    const FeedForwardPlan& m_feedForward;
    const RotaryPlan& m_rotary;
    const LossPlan& m_loss;
    /// Numbers in a D × D, a D × F and a V × D weight, and in all.
    Saturating m_square, m_wide, m_embedding, m_parameters;
    /// Bytes of the optimizer's moments.
    Saturating m_moments;
    /// They are there from the step's beginning on.
    bool m_hasMoments = false;

    // These belong to the run as a whole, where every tensor stands by itself.
    std::vector<ParameterTensor> m_weights;
    std::vector<PaperTensor> m_tables;

    /// Every layer, or the first and the last.
    std::vector<PaperBlock> m_blocks;
    /// The residual stream, and what is not yet added to it.
    PaperTensor m_stream, m_branch;
    PaperNorm m_lastNorm;
    PaperLinear m_head;
    PaperTensor m_logits;
    PaperLoss m_savedLoss;
};

template <class Step>
bool walkRunOf(const RunConfig& config, CachingAllocator& allocator) {
    MemoryWalk walk(&allocator);
    Step run(config, walk);
    run.begin();
    std::int64_t steps = (Saturating(config.warmup) + config.steps).value();
    if (config.execution == Execution::kGraph && steps > 1) {
        run.runStep();
        allocator.releaseUnused();
        allocator.beginPrivatePool();
        steps = 1;  // captured once; a replay allocates nothing
    }
    for (bool grows = true; grows && steps > 0 && !walk.ranOut(); --steps) {
        const Bytes given = allocator.peakGiven(), reserved = allocator.peakReserved();
        run.runStep();
        grows = allocator.peakGiven() > given || allocator.peakReserved() > reserved;
    }
    return !walk.ranOut();
}

}  // namespace

std::vector<MemoryMoment> walkStep(const RunConfig& config) {
    MemoryWalk walk;
    if (config.isAttention())
        PaperAttentionStep(config, walk).runFullestStep();
    else
        PaperStep(config, walk).runFullestStep();
    return walk.moments();
}

bool walkRun(const RunConfig& config, CachingAllocator& allocator) {
    return config.isAttention() ? walkRunOf<PaperAttentionStep>(config, allocator)
                                : walkRunOf<PaperStep>(config, allocator);
}

}  // namespace warpglass
