#include "engine/cuda/lt_products.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/ops/mm.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

namespace warpglass {
namespace {

/// What cuBLASLt proposes at most for one product, whatever it is asked for.
constexpr int kMostProposed = 8;
/// How many of the tiles that its first proposal could have had are tried.
constexpr std::size_t kTilesTried = 12;
/// Calls that one turn times together, so that the events' own time counts little.
constexpr int kCallsATurn = 4;

/// From Hopper on.
constexpr auto kClusters = std::to_array<std::uint16_t>(
    {CUBLASLT_CLUSTER_SHAPE_1x1x1, CUBLASLT_CLUSTER_SHAPE_2x1x1, CUBLASLT_CLUSTER_SHAPE_1x2x1,
     CUBLASLT_CLUSTER_SHAPE_2x2x1, CUBLASLT_CLUSTER_SHAPE_4x1x1, CUBLASLT_CLUSTER_SHAPE_1x4x1,
     CUBLASLT_CLUSTER_SHAPE_4x2x1, CUBLASLT_CLUSTER_SHAPE_2x4x1});
bool hasClusters() {
    return at::cuda::getCurrentDeviceProperties()->major >= 9;
}
/// In which tiles are compared.
std::uint16_t usualCluster() {
    return hasClusters() ? CUBLASLT_CLUSTER_SHAPE_2x1x1 : CUBLASLT_CLUSTER_SHAPE_AUTO;
}

std::vector<const cublasLtMatmulAlgo_t*> pointersTo(const std::vector<cublasLtMatmulAlgo_t>& algorithms) {
    std::vector<const cublasLtMatmulAlgo_t*> pointers;
    for (const cublasLtMatmulAlgo_t& algorithm : algorithms)
        pointers.push_back(&algorithm);
    return pointers;
}

cudaDataType ltType(const MatrixLayout& matrix) {
    const auto type = static_cast<at::ScalarType>(matrix.type);
    return type == at::kHalf ? CUDA_R_16F : type == at::kBFloat16 ? CUDA_R_16BF : CUDA_R_32F;
}

bool is16Bit(at::ScalarType type) {
    return type == at::kHalf || type == at::kBFloat16;
}

std::optional<MatrixLayout> layoutOf(const at::Tensor& matrix) {
    if (matrix.dim() != 2 || matrix.numel() == 0)
        return std::nullopt;
    MatrixLayout layout{.rows = matrix.size(0), .columns = matrix.size(1)};
    if (matrix.stride(1) == 1 && matrix.stride(0) >= matrix.size(1)) {
        layout.stride = matrix.stride(0);
    } else if (matrix.stride(0) == 1 && matrix.stride(1) >= matrix.size(0)) {
        layout.stride = matrix.stride(1);
        layout.transposed = true;
    } else {
        return std::nullopt;
    }
    layout.type = static_cast<int>(matrix.scalar_type());
    layout.alignment = alignmentOf(reinterpret_cast<std::uintptr_t>(matrix.const_data_ptr()));
    return layout;
}

/// Nothing where it is none of cuBLASLt's here.
std::optional<ProductKind> kindOf(const at::Tensor& a, const at::Tensor& b, const at::Tensor& out) {
    const auto first = layoutOf(a), second = layoutOf(b), result = layoutOf(out);
    const at::ScalarType type = a.scalar_type(), given = out.scalar_type();
    if (!first || !second || !result || result->transposed || !is16Bit(type) || b.scalar_type() != type ||
        (given != type && given != at::kFloat))
        return std::nullopt;
    return ProductKind{a.get_device(), *first, *second, *result};
}

bool isCapturing() {
    return c10::cuda::currentStreamCaptureStatusMayInitCtx() != c10::cuda::CaptureStatus::None;
}

void check(cublasStatus_t status) {
    TORCH_CHECK(status == CUBLAS_STATUS_SUCCESS, "cuBLASLt: ", cublasLtGetStatusString(status));
}

template <class Object, cublasStatus_t (*destroy)(Object)>
struct Destroy {
    using pointer = Object;
    void operator()(Object object) const { destroy(object); }
};
template <class Object, cublasStatus_t (*destroy)(Object)>
using Owned = std::unique_ptr<Object, Destroy<Object, destroy>>;
using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Description = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

/// cuBLASLt thinks in columns: it sees each matrix by rows as its transpose.
Layout ltLayout(const MatrixLayout& matrix) {
    cublasLtMatrixLayout_t layout = nullptr;
    check(cublasLtMatrixLayoutCreate(
        &layout, ltType(matrix), static_cast<std::uint64_t>(matrix.transposed ? matrix.rows : matrix.columns),
        static_cast<std::uint64_t>(matrix.transposed ? matrix.columns : matrix.rows), matrix.stride));
    return Layout(layout);
}

template <class Number>
Number configured(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t which) {
    Number value{};
    std::size_t written = 0;
    check(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, which, &value, sizeof(value), &written));
    return value;
}

template <class Number>
void configure(cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t which, Number value) {
    check(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, which, &value, sizeof(value)));
}

/// What it can be configured to; 0, "undefined", where it has no such list.
std::vector<std::uint32_t> capability(const cublasLtMatmulAlgo_t& algorithm,
                                      cublasLtMatmulAlgoCapAttributes_t which) {
    std::size_t bytes = 0;
    cublasLtMatmulAlgoCapGetAttribute(&algorithm, which, nullptr, 0, &bytes);
    std::vector<std::uint32_t> all(bytes / sizeof(std::uint32_t));
    if (all.empty() || cublasLtMatmulAlgoCapGetAttribute(&algorithm, which, all.data(), bytes, &bytes) !=
                           CUBLAS_STATUS_SUCCESS)
        return {0};
    return all;
}

}  // namespace

/// outᵀ = bᵀ aᵀ, which is how cuBLASLt sees out = a b.
class LtProduct {
public:
    explicit LtProduct(const ProductKind& kind)
        : m_kind(kind), m_a(ltLayout(kind.a)), m_b(ltLayout(kind.b)), m_out(ltLayout(kind.out)) {
        cublasLtMatmulDesc_t description = nullptr;
        check(cublasLtMatmulDescCreate(&description, kComputeType, kScaleType));
        m_description.reset(description);
        const auto turn = [&](cublasLtMatmulDescAttributes_t which, const MatrixLayout& matrix) {
            const cublasOperation_t operation = matrix.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
            check(cublasLtMatmulDescSetAttribute(description, which, &operation, sizeof(operation)));
        };
        turn(CUBLASLT_MATMUL_DESC_TRANSA, kind.b);
        turn(CUBLASLT_MATMUL_DESC_TRANSB, kind.a);
    }

    /// In cuBLASLt's order; none where it has none.
    std::vector<cublasLtMatmulAlgo_t> proposed() const;
    /// What its rules might have proposed instead: the same with other tiles, the most promising ones.
    std::vector<cublasLtMatmulAlgo_t> withOtherTiles(const cublasLtMatmulAlgo_t& proposal) const;
    /// The algorithm itself, and the same in other clusters of multiprocessors.
    std::vector<cublasLtMatmulAlgo_t> withOtherClusters(const cublasLtMatmulAlgo_t& algorithm) const;

    void take(const cublasLtMatmulAlgo_t& algorithm) { m_algorithm = algorithm; }

    cublasStatus_t run(const at::Tensor& a, const at::Tensor& b, const at::Tensor& out) const {
        const float one = 1, zero = 0;
        return cublasLtMatmul(at::cuda::getCurrentCUDABlasLtHandle(), m_description.get(), &one,
                              b.const_data_ptr(), m_b.get(), a.const_data_ptr(), m_a.get(), &zero,
                              out.const_data_ptr(), m_out.get(), out.mutable_data_ptr(), m_out.get(),
                              &m_algorithm, nullptr, 0, at::cuda::getCurrentCUDAStream(a.get_device()));
    }

private:
    static constexpr cublasComputeType_t kComputeType = CUBLAS_COMPUTE_32F;
    static constexpr cudaDataType kScaleType = CUDA_R_32F;

    /// How often its tiles fill the device; nothing where it cannot compute this product as wanted.
    std::optional<double> wavesOf(const cublasLtMatmulAlgo_t& algorithm) const {
        cublasLtMatmulHeuristicResult_t result{};
        const cublasStatus_t status =
            cublasLtMatmulAlgoCheck(at::cuda::getCurrentCUDABlasLtHandle(), m_description.get(), m_b.get(),
                                    m_a.get(), m_out.get(), m_out.get(), &algorithm, &result);
        const bool works = status == CUBLAS_STATUS_SUCCESS && result.state == CUBLAS_STATUS_SUCCESS;
        return works && result.workspaceSize == 0 ? std::optional<double>(result.wavesCount) : std::nullopt;
    }

    ProductKind m_kind;
    Layout m_a, m_b, m_out;
    Description m_description;
    cublasLtMatmulAlgo_t m_algorithm{};
};

std::vector<cublasLtMatmulAlgo_t> LtProduct::proposed() const {
    cublasLtMatmulPreference_t made = nullptr;
    check(cublasLtMatmulPreferenceCreate(&made));
    const Preference preference(made);
    const auto set = [made](cublasLtMatmulPreferenceAttributes_t which, auto value) {
        check(cublasLtMatmulPreferenceSetAttribute(made, which, &value, sizeof(value)));
    };
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{0});
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, std::uint32_t{CUBLASLT_REDUCTION_SCHEME_NONE});
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, m_kind.b.alignment);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, m_kind.a.alignment);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, m_kind.out.alignment);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, m_kind.out.alignment);
    std::array<cublasLtMatmulHeuristicResult_t, kMostProposed> results{};
    int found = 0;
    if (cublasLtMatmulAlgoGetHeuristic(at::cuda::getCurrentCUDABlasLtHandle(), m_description.get(), m_b.get(),
                                       m_a.get(), m_out.get(), m_out.get(), made, kMostProposed,
                                       results.data(), &found) != CUBLAS_STATUS_SUCCESS)
        return {};
    std::vector<cublasLtMatmulAlgo_t> algorithms;
    for (int i = 0; i < found; ++i) {
        const cublasLtMatmulHeuristicResult_t& result = results[static_cast<std::size_t>(i)];
        if (result.state == CUBLAS_STATUS_SUCCESS && result.workspaceSize == 0)
            algorithms.push_back(result.algo);
    }
    return algorithms;
}

std::vector<cublasLtMatmulAlgo_t> LtProduct::withOtherTiles(const cublasLtMatmulAlgo_t& proposal) const {
    cublasLtMatmulAlgo_t algorithm{};
    const int id = configured<int>(proposal, CUBLASLT_ALGO_CONFIG_ID);
    const cudaDataType type = ltType(m_kind.a), given = ltType(m_kind.out);
    if (cublasLtMatmulAlgoInit(at::cuda::getCurrentCUDABlasLtHandle(), kComputeType, kScaleType, type, type,
                               given, given, id, &algorithm) != CUBLAS_STATUS_SUCCESS)
        return {};
    struct Tile {
        cublasLtMatmulAlgo_t algorithm;
        double unpromising;
    };
    std::vector<Tile> tiles;
    configure(algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, usualCluster());
    for (const std::uint32_t stages : capability(algorithm, CUBLASLT_ALGO_CAP_STAGES_IDS)) {
        configure(algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID, stages);
        for (const std::uint32_t tile : capability(algorithm, CUBLASLT_ALGO_CAP_TILE_IDS)) {
            configure(algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID, tile);
            if (const std::optional<double> waves = wavesOf(algorithm))
                tiles.push_back({algorithm, unpromising(*waves)});
        }
    }
    std::ranges::stable_sort(tiles, {}, &Tile::unpromising);
    tiles.resize(std::min(tiles.size(), kTilesTried));
    std::vector<cublasLtMatmulAlgo_t> all;
    for (const Tile& tile : tiles)
        all.push_back(tile.algorithm);
    return all;
}

std::vector<cublasLtMatmulAlgo_t> LtProduct::withOtherClusters(const cublasLtMatmulAlgo_t& algorithm) const {
    std::vector<cublasLtMatmulAlgo_t> all{algorithm};
    const auto own = configured<std::uint16_t>(algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID);
    for (const std::uint16_t cluster : kClusters) {
        cublasLtMatmulAlgo_t other = algorithm;
        configure(other, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, cluster);
        if (hasClusters() && cluster != own && wavesOf(other))
            all.push_back(other);
    }
    return all;
}

/// Keeps what follows on a stream waiting until it opens, so that a few calls of a small product run without
/// pauses however long the host takes to make them. What is called meanwhile must have been called before:
/// loading its code could wait for the stream. It opens by itself where launching waits for the stream too
/// (CUDA_LAUNCH_BLOCKING, tools that run one kernel at a time); `useful` is then false, and further gates do
/// nothing.
class Gate {
public:
    Gate(cudaStream_t stream, bool& useful) : m_stream(stream), m_useful(useful) {
        if (useful)
            C10_CUDA_CHECK(cudaLaunchHostFunc(m_stream, &Gate::hold, this));
    }
    /// Opens, and waits for what follows.
    ~Gate() {
        m_open = true;
        cudaStreamSynchronize(m_stream);
        m_useful = m_useful && !m_gaveUp;
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

private:
    static constexpr std::chrono::milliseconds kLongest{100};
    static constexpr std::chrono::microseconds kPause{20};

    static void hold(void* given) {
        Gate& gate = *static_cast<Gate*>(given);
        const auto end = std::chrono::steady_clock::now() + kLongest;
        while (!gate.m_open && !gate.m_gaveUp) {
            std::this_thread::sleep_for(kPause);
            gate.m_gaveUp = std::chrono::steady_clock::now() > end;
        }
    }

    cudaStream_t m_stream;
    bool& m_useful;
    std::atomic<bool> m_open = false, m_gaveUp = false;
};

LtProducts::LtProducts() = default;
LtProducts::~LtProducts() = default;

LtProducts::Choice LtProducts::tried(const ProductKind& kind, const at::Tensor& a, const at::Tensor& b,
                                     const at::Tensor& out) {
    const auto product = std::make_shared<LtProduct>(kind);
    const at::cuda::CUDAStream stream = at::cuda::getCurrentCUDAStream(a.get_device());
    const auto compute = [&](const cublasLtMatmulAlgo_t* algorithm) {
        if (algorithm) {
            product->take(*algorithm);
            return product->run(a, b, out) == CUBLAS_STATUS_SUCCESS;
        }
        at::Tensor result = out;
        if (out.scalar_type() == a.scalar_type())
            at::mm_out(result, a, b);
        else
            at::mm_out(result, a, b, out.scalar_type());
        return true;
    };
    at::cuda::CUDAEvent begin(cudaEventDefault), end(cudaEventDefault);
    const auto time = [&](const cublasLtMatmulAlgo_t* algorithm) {
        bool works = true;
        {
            const Gate gate(stream, m_gatesAreUseful);
            begin.record(stream);
            for (int call = 0; call < kCallsATurn; ++call)
                works = compute(algorithm) && works;
            end.record(stream);
        }
        return works ? begin.elapsed_time(end) : std::numeric_limits<float>::infinity();
    };
    /// Null is LibTorch's own.
    const auto fastest = [&](const std::vector<const cublasLtMatmulAlgo_t*>& algorithms) {
        return algorithms[fastestOf(
            algorithms.size(), [&](std::size_t i) { return compute(algorithms[i]); },
            [&](std::size_t i) { return time(algorithms[i]); })];
    };

    std::vector<cublasLtMatmulAlgo_t> tiles = product->proposed();
    if (tiles.empty())
        return nullptr;
    for (const cublasLtMatmulAlgo_t& other : product->withOtherTiles(tiles.front()))
        tiles.push_back(other);
    const std::vector<cublasLtMatmulAlgo_t> clusters =
        product->withOtherClusters(*fastest(pointersTo(tiles)));
    std::vector<const cublasLtMatmulAlgo_t*> last = pointersTo(clusters);
    last.insert(last.begin(), nullptr);
    const cublasLtMatmulAlgo_t* const chosen = fastest(last);
    if (!chosen)
        return nullptr;
    product->take(*chosen);
    return product;
}

bool LtProducts::multiply(const at::Tensor& a, const at::Tensor& b, const at::Tensor& out) {
    const std::optional<ProductKind> kind = kindOf(a, b, out);
    if (!kind)
        return false;
    Choice choice;
    {
        const std::lock_guard lock(m_mutex);
        auto kept = m_kept.find(*kind);
        if (kept == m_kept.end()) {
            if (!m_tryOut || isCapturing())
                return false;
            kept = m_kept.emplace(*kind, tried(*kind, a, b, out)).first;
        }
        choice = kept->second;
    }
    if (!choice)
        return false;
    if (choice->run(a, b, out) == CUBLAS_STATUS_SUCCESS)
        return true;
    const std::lock_guard lock(m_mutex);
    m_kept[*kind] = nullptr;
    return false;
}

}  // namespace warpglass
