// The gradient of the table of embeddings. A block has some rows of the table: it looks through all tokens, lists
// in order those that are its rows', and sums their gradients, so that nothing is added by atomics or sorted.
#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kRowsOfBlock = 8;
/// Tokens that are listed at a time, at most.
constexpr int kListed = 1024;

struct Match {
    int token, row;
};

/// Lists those of tokens[from, to) that are of the rows from `first` on, in order; gives how many. `counts`: a number a warp.
__device__ inline int listMatches(const EmbeddingBackward& call, std::int64_t first, std::int64_t from,
                                  std::int64_t to, Match* list, int* counts) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    int listed = 0;
    for (std::int64_t begin = from; begin < to; begin += kThreads) {
        const std::int64_t token = begin + threadIdx.x;
        const std::int64_t row = token < to ? call.tokens[token] - first : -1;
        const bool matches = row >= 0 && row < kRowsOfBlock;
        const unsigned all = __ballot_sync(0xffffffff, matches);
        if (lane == 0)
            counts[warp] = __popc(all);
        __syncthreads();
        int before = listed;
        for (int i = 0; i < kThreads / kWarp; ++i) {
            if (i < warp)
                before += counts[i];
            listed += counts[i];
        }
        if (matches)
            list[before + __popc(all & ((1u << lane) - 1))] = {static_cast<int>(token - from),
                                                               static_cast<int>(row)};
        __syncthreads();
    }
    return listed;
}

template <int n>
__global__ void embeddingGradientKernel(EmbeddingBackward call) {
    __shared__ Match list[kListed];
    __shared__ int counts[kThreads / kWarp];
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kRowsOfBlock;
    const int rows = static_cast<int>(min(static_cast<std::int64_t>(kRowsOfBlock), call.vocabulary - first));
    const int pieces = static_cast<int>(call.width / n);
    for (std::int64_t from = 0; from == 0 || from < call.count; from += kListed) {
        const int listed =
            listMatches(call, first, from, min(from + kListed, call.count), list, counts);
        if (listed == 0 && from > 0)
            continue;
        const float* gradients = call.outputGradient + from * call.width;
        for (int row = 0; row < rows; ++row) {
            float* sums = call.weightGradient + (first + row) * call.width;
            for (int piece = threadIdx.x; piece < pieces; piece += kThreads) {
                Numbers<n> sum = from > 0 ? load<n>(sums + piece * n) : Numbers<n>{};
                for (int each = 0; each < listed; ++each) {
                    if (list[each].row != row)
                        continue;
                    const Numbers<n> added = load<n>(gradients + list[each].token * call.width + piece * n);
#pragma unroll
                    for (int i = 0; i < n; ++i)
                        sum.at[i] += added.at[i];
                }
                store(sums + piece * n, sum);
            }
        }
        __syncthreads();
    }
}

}  // namespace

int embeddingBackward(const EmbeddingBackward& call, void* stream) {
    if (call.vocabulary == 0 || call.width == 0)
        return cudaSuccess;
    const auto blocks = static_cast<unsigned>((call.vocabulary + kRowsOfBlock - 1) / kRowsOfBlock);
    return withPieces(call.width % 4 == 0, [&](auto n) {
        embeddingGradientKernel<n.value>
            <<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(call);
        return cudaGetLastError();
    });
}

}  // namespace warpglass::kernels
