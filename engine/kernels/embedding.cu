// The gradient of the table of embeddings, without atomics on it: one kernel puts the tokens in the order of
// their rows of the table, another sums the gradients of each row's.
#include <climits>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

// The list of tokens
// ------------------------------------------------------------------------------------------------------------

constexpr int kThreads = 1024;
constexpr int kWarps = kThreads / kWarp;
/// A block lists the tokens of so many rows at most, of so many tokens at a time.
constexpr int kMostRows = 128;
constexpr int kRowsOfLane = kMostRows / kWarp;
constexpr int kLooks = 16;
constexpr int kLooked = kLooks * kThreads;
constexpr int kCountsOfLane = kLooks * kWarps / kWarp;
constexpr std::uint32_t kNoRow = 0xff;

/// The sum of the numbers of the lanes before.
__device__ inline int sumBefore(int number) {
    const int lane = threadIdx.x % kWarp;
    int sum = number;
#pragma unroll
    for (int by = 1; by < kWarp; by *= 2) {
        const int other = __shfl_up_sync(~0u, sum, by);
        sum += lane >= by ? other : 0;
    }
    return sum - number;
}

/// Puts a place where a count was; the next place.
__device__ inline int take(int& count, int place) {
    const int next = place + count;
    count = place;
    return next;
}

struct Listed {
    std::uint16_t tokens[kLooked];  // counted from the first that was looked at
    std::uint8_t rows[kLooked];
    int counts[kCountsOfLane * kWarp];
    int all;
    /// How many tokens have a row before the block's.
    int before;
    /// How many tokens each row has, and then where its next one goes.
    int ofRow[kMostRows];
};

/// The rows, counted from the block's first, of the tokens that a thread looks at, a byte each: kNoRow for
/// those of other blocks' rows and behind the last token.
struct Rows {
    std::uint32_t at[kLooks / 4]{};
    /// How many have a row before the block's.
    int before = 0;

    __device__ std::uint32_t of(int look) const { return at[look / 4] >> look % 4 * 8 & 0xff; }
};

__device__ inline Rows loadRows(const EmbeddingBackward& call, std::int64_t first, int rows,
                                std::int64_t begin) {
    static_assert(kMostRows <= kNoRow);
    Rows found;
#pragma unroll
    for (int i = 0; i < kLooks; ++i) {
        const std::int64_t token = begin + i * kThreads + threadIdx.x;
        const std::int64_t row = token < call.count ? call.tokens[token] - first : rows;
        found.before += row < 0;
        found.at[i / 4] |= (row >= 0 && row < rows ? static_cast<std::uint32_t>(row) : kNoRow) << i % 4 * 8;
    }
    return found;
}

/// Lists those of the tokens that have a row, in their order.
__device__ inline void list(const Rows& rows, Listed& listed) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    unsigned matches[kLooks];
#pragma unroll
    for (int i = 0; i < kLooks; ++i) {
        matches[i] = __ballot_sync(~0u, rows.of(i) != kNoRow);
        if (lane == 0)
            listed.counts[i * kWarps + warp] = __popc(matches[i]);
    }
    __syncthreads();
    if (warp == 0) {
        int* const counts = listed.counts + lane * kCountsOfLane;
        int sum = 0;
#pragma unroll
        for (int i = 0; i < kCountsOfLane; ++i)
            sum += counts[i];
        int place = sumBefore(sum);
#pragma unroll
        for (int i = 0; i < kCountsOfLane; ++i)
            place = take(counts[i], place);
        if (lane == kWarp - 1)
            listed.all = place;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kLooks; ++i) {
        if (matches[i] >> lane & 1) {
            const int place = listed.counts[i * kWarps + warp] + __popc(matches[i] & ((1u << lane) - 1));
            listed.tokens[place] = static_cast<std::uint16_t>(i * kThreads + threadIdx.x);
            listed.rows[place] = static_cast<std::uint8_t>(rows.of(i));
        }
    }
    __syncthreads();
}

/// Puts what is listed of the tokens from `begin` on where it goes. Each warp has some of the rows.
__device__ inline void placeListed(const EmbeddingBackward& call, std::int64_t begin, Listed& listed) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    for (int row = warp; row < kMostRows; row += kWarps) {
        int place = listed.ofRow[row];
        for (int from = 0; from < listed.all; from += kWarp) {
            const bool matches = from + lane < listed.all && listed.rows[from + lane] == row;
            const unsigned all = __ballot_sync(~0u, matches);
            if (matches)
                call.order[place + __popc(all & ((1u << lane) - 1))] =
                    static_cast<int>(begin) + listed.tokens[from + lane];
            place += __popc(all);
        }
        __syncwarp();
        if (lane == 0)
            listed.ofRow[row] = place;
    }
    __syncthreads();
}

/// A block has some rows of the table, and looks at all tokens for those that are its rows'.
__global__ void __launch_bounds__(kThreads) embeddingOrderKernel(EmbeddingBackward call, int rowsOfBlock) {
    extern __shared__ unsigned char shared[];
    Listed& listed = *reinterpret_cast<Listed*>(shared);
    const int lane = threadIdx.x % kWarp;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * rowsOfBlock;
    const int rows = static_cast<int>(min(static_cast<std::int64_t>(rowsOfBlock), call.vocabulary - first));
    if (threadIdx.x < kMostRows)
        listed.ofRow[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        listed.before = 0;
    __syncthreads();
    Rows found;
    int before = 0;
    for (std::int64_t begin = 0; begin < call.count; begin += kLooked) {
        found = loadRows(call, first, rows, begin);
        before += found.before;
#pragma unroll
        for (int i = 0; i < kLooks; ++i) {
            if (found.of(i) != kNoRow)
                atomicAdd(&listed.ofRow[found.of(i)], 1);
        }
    }
    before = __reduce_add_sync(~0u, before);
    if (lane == 0)
        atomicAdd(&listed.before, before);
    __syncthreads();
    if (threadIdx.x < kWarp) {
        int* const ofRow = listed.ofRow + lane * kRowsOfLane;
        int sum = 0;
#pragma unroll
        for (int i = 0; i < kRowsOfLane; ++i)
            sum += ofRow[i];
        int place = listed.before + sumBefore(sum);
#pragma unroll
        for (int i = 0; i < kRowsOfLane; ++i)
            place = take(ofRow[i], place);
    }
    __syncthreads();
    if (threadIdx.x < rows)
        call.begins[first + threadIdx.x] = listed.ofRow[threadIdx.x];
    if (threadIdx.x == 0 && first + rows == call.vocabulary)
        call.begins[call.vocabulary] = static_cast<int>(call.count);
    for (std::int64_t begin = 0; begin < call.count; begin += kLooked) {
        if (call.count > kLooked)  // else they are as they were
            found = loadRows(call, first, rows, begin);
        list(found, listed);
        placeListed(call, begin, listed);
    }
}

// The sums
// ------------------------------------------------------------------------------------------------------------

constexpr int kSummingThreads = 128;
/// A multiprocessor is to have so many blocks at a time. Where it has room for 2,048 threads, each gets by with
/// 32 registers.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890)
constexpr int kSummingBlocks = 8;
#else
constexpr int kSummingBlocks = 16;
#endif

/// A thread has two pieces of a row, so that two of its loads are on their way.
template <int n>
__global__ void __launch_bounds__(kSummingThreads, kSummingBlocks)
    embeddingGradientKernel(EmbeddingBackward call) {
    const unsigned pieces = static_cast<unsigned>(call.width / n), first = (pieces + 1) / 2;
    const unsigned item = blockIdx.x * kSummingThreads + threadIdx.x;
    const unsigned row = item / first, piece = item % first;
    if (row >= call.vocabulary)
        return;
    const bool two = piece + first < pieces;
    Numbers<n> sums[2]{};
    const int end = call.begins[row + 1];
    for (int each = call.begins[row]; each < end; ++each) {
        const float* const from = call.outputGradient + call.order[each] * call.width + piece * n;
        const Numbers<n> added[2] = {load<n>(from), two ? load<n>(from + first * n) : Numbers<n>{}};
#pragma unroll
        for (int i = 0; i < n; ++i) {
            sums[0].at[i] += added[0].at[i];
            sums[1].at[i] += added[1].at[i];
        }
    }
    float* const to = call.weightGradient + static_cast<std::int64_t>(row) * call.width + piece * n;
    store(to, sums[0]);
    if (two)
        store(to + first * n, sums[1]);
}

}  // namespace

int embeddingBackward(const EmbeddingBackward& call, void* onStream) {
    if (call.vocabulary == 0 || call.width == 0)
        return cudaSuccess;
    const auto stream = static_cast<cudaStream_t>(onStream);
    int device = 0, processors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(embeddingOrderKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     sizeof(Listed));
    if (error != cudaSuccess)
        return error;
    const auto blocksOf = [](std::int64_t items, std::int64_t ofBlock) {
        return (items + ofBlock - 1) / ofBlock;
    };
    const std::int64_t rows =
        min(static_cast<std::int64_t>(kMostRows), blocksOf(call.vocabulary, processors));
    return withPieces(call.width % 4 == 0, [&](auto n) {
        const std::int64_t sums =
            blocksOf(call.vocabulary * blocksOf(call.width / n.value, 2), kSummingThreads);
        if (call.count > INT_MAX - kLooked || sums > UINT_MAX / kSummingThreads)
            return cudaErrorInvalidValue;
        embeddingOrderKernel<<<static_cast<unsigned>(blocksOf(call.vocabulary, rows)), kThreads,
                               sizeof(Listed), stream>>>(call, static_cast<int>(rows));
        if (const cudaError_t refused = cudaGetLastError(); refused != cudaSuccess)
            return refused;
        embeddingGradientKernel<n.value><<<static_cast<unsigned>(sums), kSummingThreads, 0, stream>>>(call);
        return cudaGetLastError();
    });
}

}  // namespace warpglass::kernels
