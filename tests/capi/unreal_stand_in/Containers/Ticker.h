// A stand-in, not Unreal: a ticker that the test turns by hand.
#pragma once

#include "CoreMinimal.h"

class FTickerDelegate {
public:
  template <class T> static FTickerDelegate CreateUObject(T *object, bool (T::*call)(float)) {
    FTickerDelegate made;
    made.StandInCall = [object, call](float span) { return (object->*call)(span); };
    return made;
  }
  std::function<bool(float)> StandInCall;
};

class FTSTicker {
public:
  class FDelegateHandle {
  public:
    void Reset() { StandInNumber = 0; }
    int StandInNumber = 0;
  };

  static FTSTicker &GetCoreTicker() {
    static FTSTicker ticker;
    return ticker;
  }
  FDelegateHandle AddTicker(const FTickerDelegate &delegate, float = 0) {
    FDelegateHandle handle;
    handle.StandInNumber = ++last_;
    tickers_.push_back({last_, delegate});
    return handle;
  }
  void RemoveTicker(FDelegateHandle handle) {
    for (std::size_t at = 0; at < tickers_.size(); at++) {
      if (tickers_[at].first == handle.StandInNumber) {
        tickers_.erase(tickers_.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      }
    }
  }

  /// One frame. Answers how many tickers there are after it.
  std::size_t StandInFrame(float span) {
    const auto now = tickers_;
    for (const auto &ticker : now) {
      if (!ticker.second.StandInCall(span)) {
        FDelegateHandle handle;
        handle.StandInNumber = ticker.first;
        RemoveTicker(handle);
      }
    }
    return tickers_.size();
  }

private:
  int last_ = 0;
  std::vector<std::pair<int, FTickerDelegate>> tickers_;
};
